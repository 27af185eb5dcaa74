"""Folders of notes for benchmarks: LoCoMo's sessions, one note each, repeated to the number asked for."""

import json
import os
from pathlib import Path


def evaluation_data() -> Path:
    """The folder that holds locomo/ and meme/: REVERIE_EVAL, else ../shared/data beside the project."""
    return Path(os.environ.get("REVERIE_EVAL") or Path(__file__).parents[3] / "shared" / "data")


def sessions() -> list[tuple[str, str]]:
    """(name, markdown) of each session of each conversation, in the data's order."""
    found = []
    for sample in json.loads((evaluation_data() / "locomo" / "locomo10.json").read_text(encoding="utf-8")):
        talk = sample["conversation"]
        number = 1
        while f"session_{number}_date_time" in talk:
            turns = talk.get(f"session_{number}") or []
            said = "\n".join(f"**{turn['speaker']}**: {turn['text']}" for turn in turns)
            when = talk[f"session_{number}_date_time"]
            found.append((f"{sample['sample_id']}-{number}", f"# Session {number}, {when}\n\n{said}\n"))
            number += 1
    return found


def write_notes(folder: Path, count: int) -> int:
    """Fill *folder* with *count* notes. Returns their size in bytes."""
    folder.mkdir(parents=True, exist_ok=True)
    source, size = sessions(), 0
    for number in range(count):
        name, text = source[number % len(source)]
        again = number // len(source)
        data = (text if not again else f"{text}\nTold for the {again + 1}th time.\n").encode()
        (folder / f"{name}-{again}.md").write_bytes(data)
        size += len(data)
    return size
