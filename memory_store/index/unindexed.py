"""The search of last resort: pages read one by one, while there is no sound index to ask."""

from memory_store.chunk import chunk_page
from memory_store.errors import NotText, PageMissing, PageUnreadable
from memory_store.files import Vault
from memory_store.index.analysis import LANGUAGES, query_words, stemmer, words
from memory_store.index.hits import Hit, Hits
from memory_store.page import parse

_LARGEST_BYTES = 8_000_000
_NOTICE = "the index is being built; pages were read one by one"


def search_pages(vault: Vault, query: str, *, limit: int, prefix: str | None) -> Hits:
    """Chunks that hold most of the words of *query*; ties by path, then line."""
    stem = stemmer(LANGUAGES[0])
    stems = {stem(word.word) for word in query_words(query)}
    found: list[tuple[int, Hit]] = []
    try:
        files = list(vault.files())
    except PageUnreadable:
        return Hits(notice=_NOTICE)
    for stat in files:
        if stat.role in ("conflict", "ignored") or not stat.path.startswith(prefix or "") or stat.size > _LARGEST_BYTES:
            continue
        try:
            page = parse(vault.read(stat.path).data)
        except (NotText, PageMissing, PageUnreadable):
            continue
        if stems.isdisjoint(stem(word) for word in words(page.text)):
            continue
        for chunk in chunk_page(stat.path, page, stat.role):
            if count := len(stems.intersection(stem(word) for word in words(chunk.text))):
                place = (stat.path, chunk.start_line, chunk.end_line, page.title(stat.path), " > ".join(chunk.headings))
                found.append((count, Hit(*place, chunk.text[:240], float(count), chunk.text, kind=chunk.kind)))
    found.sort(key=lambda pair: (-pair[0], pair[1].path, pair[1].start_line))
    return Hits([hit for _, hit in found[:limit]], notice=_NOTICE)
