"""Vectors and ranks: `/v1/embeddings` as OpenAI has it, `/v1/rerank` as Jina and Cohere have it."""

import asyncio
import base64
import uuid
from typing import TYPE_CHECKING, Annotated, Literal

import msgspec
from msgspec import UNSET
from starlette.requests import Request
from starlette.responses import Response

from daemon.errors import NoModel, RequestInvalid
from daemon.http.generating import plain
from daemon.http.openai_replies import Rank, RankedText, Ranks, TextUsage, Vector, Vectors
from daemon.http.openai_types import Lenient, Name
from daemon.http.replies import body, reply, while_connected
from daemon.parts import Handler, Parts
from models.errors import WrongModelKind

if TYPE_CHECKING:
    import numpy as np

TEXTS_LIMIT = 2048


class EmbeddingsRequest(Lenient):
    """
    `POST /v1/embeddings`. Token ids are refused: they mean another text in another vocabulary.

    A text too long for the model is refused too, unless *truncate* or vLLM's *truncate_prompt_tokens* allow to cut it.
    """

    model: Name
    input: str | list[str | int | list[int]]
    encoding_format: Literal["float", "base64"] | None = "float"
    dimensions: int | None = None
    truncate: bool | None = None
    truncate_prompt_tokens: int | None = None


class Document(Lenient):
    text: str


class RerankRequest(Lenient):
    """`POST /v1/rerank`. *model* may be a cross-encoder, an embedding model, or left out: the best that is here."""

    query: Annotated[str, msgspec.Meta(min_length=1)]
    documents: list[str | Document]
    model: str | None = None
    top_n: int | None = None
    return_documents: bool | None = None


async def embeddings(parts: Parts, request: Request) -> Response:
    """`POST /v1/embeddings`, as numbers or base64 of little-endian float32."""
    asked = await body(request, EmbeddingsRequest, limit_bytes=parts.config.server.body_limit)
    texts = _texts(asked.input)
    name = plain(asked.model)
    whole = not asked.truncate and asked.truncate_prompt_tokens is None
    rows = await while_connected(request, parts.supervisor.embed(name, texts, whole=whole))
    parts.metrics.embedded_texts.add(len(texts))
    if asked.dimensions is not None:
        rows = shortened(rows, asked.dimensions)
    tokens = await tokens_of(parts, name, texts)
    data = [
        Vector(object="embedding", index=index, embedding=_encoded(row, asked.encoding_format))
        for index, row in enumerate(rows)
    ]
    usage = TextUsage(prompt_tokens=tokens, total_tokens=tokens)
    return reply(Vectors(object="list", model=asked.model, data=data, usage=usage))


def _texts(given: str | list[str | int | list[int]]) -> list[str]:
    texts = [given] if isinstance(given, str) else [text for text in given if isinstance(text, str)]
    if not isinstance(given, str) and len(texts) < len(given):
        raise RequestInvalid("input: token ids are not supported, only text", "input")
    if not texts:
        raise RequestInvalid("input: at least one text is needed", "input")
    if len(texts) > TEXTS_LIMIT:
        raise RequestInvalid(f"input: {len(texts)} texts, at most {TEXTS_LIMIT} are taken at once", "input")
    return texts


async def rerank(parts: Parts, request: Request) -> Response:
    """`POST /v1/rerank`: best first; `by` says what the scores rest on."""
    asked = await body(request, RerankRequest, limit_bytes=parts.config.server.body_limit)
    texts = [each if isinstance(each, str) else each.text for each in asked.documents]
    if not 1 <= len(texts) <= TEXTS_LIMIT:
        raise RequestInvalid(f"documents: {len(texts)} are given, expected 1 to {TEXTS_LIMIT}", "documents")
    if asked.top_n is not None and asked.top_n < 1:
        raise RequestInvalid("top_n is less than 1", "top_n")
    name, kind = await asyncio.to_thread(_ranker, parts, asked.model)
    if kind == "rerank":
        scores = await while_connected(request, parts.supervisor.rerank(name, asked.query, texts))
    else:
        rows = await while_connected(request, parts.supervisor.embed(name, [asked.query, *texts]))
        scores = rows[1:] @ rows[0]
    order = sorted(range(len(texts)), key=lambda index: (-scores[index], index))[: asked.top_n]
    tokens = await tokens_of(parts, name, [asked.query, *texts])
    results = [
        Rank(
            index=index,
            relevance_score=float(scores[index]),
            document=RankedText(text=texts[index]) if asked.return_documents else UNSET,
        )
        for index in order
    ]
    return reply(
        Ranks(
            id=f"rerank-{uuid.uuid4().hex[:24]}",
            model=name,
            by="cross-encoder" if kind == "rerank" else "embeddings",
            results=results,
            usage=TextUsage(prompt_tokens=tokens, total_tokens=tokens),
        )
    )


def _ranker(parts: Parts, wanted: str | None) -> tuple[str, str]:
    """The model to rank with, and its kind."""
    if wanted and wanted.strip():
        model = parts.catalog.get(plain(wanted))
        if model.kind == "chat":
            raise WrongModelKind(model.name, "chat", "ranking")
        return model.name, model.kind
    installed = parts.catalog.installed()
    best = next((model for model in installed if model.kind == "rerank"), None)
    if best is None:
        best = next((model for model in installed if model.name == parts.config.models.embed), None)
    if best is None:
        best = next((model for model in installed if model.kind == "embed"), None)
    if best is None:
        raise NoModel("ranking or embedding")
    return best.name, best.kind


ROUTES: dict[tuple[str, str], Handler] = {
    ("POST", "/v1/embeddings"): embeddings,
    ("POST", "/v1/rerank"): rerank,
    ("POST", "/rerank"): rerank,
}


def _encoded(row: "np.ndarray", encoding: str | None) -> list[float] | str:
    if encoding == "base64":
        return base64.b64encode(row.astype("<f4").tobytes()).decode()
    numbers: list[float] = row.tolist()
    return numbers


def shortened(rows: "np.ndarray", dimensions: int) -> "np.ndarray":
    """The first *dimensions* of each row, at unit length again."""
    import numpy as np

    if not 1 <= dimensions <= rows.shape[1]:
        shown = str(dimensions)[:40]
        raise RequestInvalid(f"dimensions is {shown}, the model has {rows.shape[1]}", "dimensions")
    short = rows[:, :dimensions]
    unit: np.ndarray = short / np.maximum(np.linalg.norm(short, axis=1, keepdims=True), 1e-12)
    return unit


async def tokens_of(parts: Parts, name: str, texts: list[str]) -> int:
    """Tokens by the model's own count; words, where the model does not tell."""
    try:
        return await parts.supervisor.count_tokens(name, "\n".join(texts))
    except WrongModelKind:
        return sum(len(text.split()) for text in texts)
