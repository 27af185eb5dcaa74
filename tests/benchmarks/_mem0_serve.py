"""
Runs inside mem0's environment: a memory that is told and searched over stdin and stdout, a JSON object a line.

usage: _mem0_serve.py URL MODEL EMBEDDER DIMENSIONS FOLDER

`{"tell": text, "day": day}` answers how many memories were added; `{"ask": question}` answers the memories found. Its
own instructions for extraction are some 8,000 tokens long: where the model's window does not hold them, SHORT stands
in.
"""

import json
import sys

import mem0.memory.main as inside
from mem0 import Memory
from mem0.exceptions import LLMError

SHORT = (
    "You extract facts about the user from messages, to be remembered. Reply with a JSON object "
    '{"memory": [{"text": "..."}]}: one short self-contained sentence a fact, with names, values and dates as they '
    "were said. What the user no longer wants or what changed is a fact too. No facts: an empty list."
)
FOUND = 20
TIMEOUT_S = 120.0


def main() -> None:
    """Answer line by line until stdin ends."""
    url, model, embedder, dimensions, folder = sys.argv[1:6]
    memory = Memory.from_config(
        {
            "llm": {
                "provider": "openai",
                "config": {
                    "model": model,
                    "openai_base_url": url,
                    "api_key": "none",
                    "temperature": 0.0,
                    "max_tokens": 250,
                },
            },
            "embedder": {
                "provider": "openai",
                "config": {"model": embedder, "openai_base_url": url, "api_key": "none"},
            },
            "vector_store": {
                "provider": "qdrant",
                "config": {"path": f"{folder}/qdrant", "embedding_model_dims": int(dimensions), "on_disk": True},
            },
            "history_db_path": f"{folder}/history.db",
        }
    )
    memory.llm.client = memory.llm.client.with_options(timeout=TIMEOUT_S, max_retries=0)
    for line in sys.stdin:
        asked = json.loads(line)
        answer = tell(memory, asked) if "tell" in asked else ask(memory, asked["ask"])
        print(json.dumps(answer), flush=True)


def tell(memory: Memory, asked: dict) -> dict:
    """Add what the user said; with the short instructions from the first time on that its own do not fit."""
    messages = [{"role": "user", "content": f"({asked['day']}) {asked['tell']}"}]
    for _ in range(2):
        try:
            added = memory.add(messages, user_id="owner")["results"]
        except LLMError as error:
            if "tokens" not in str(error) or inside.ADDITIVE_EXTRACTION_PROMPT == SHORT:
                return {"added": 0, "error": str(error)[:300]}
            inside.ADDITIVE_EXTRACTION_PROMPT = SHORT
            print(f"mem0's own instructions do not fit: {error}", file=sys.stderr, flush=True)
        except Exception as error:  # noqa: BLE001 - whatever a small model's JSON makes it stumble over
            return {"added": 0, "error": f"{type(error).__name__}: {error}"[:300]}
        else:
            return {"added": len(added)}
    return {"added": 0, "error": "not even the short instructions fit"}


def ask(memory: Memory, question: str) -> dict:
    """The memories that its search finds, best first."""
    found = memory.search(question, top_k=FOUND, filters={"user_id": "owner"})["results"]
    return {"found": [each["memory"] for each in found]}


if __name__ == "__main__":
    main()
