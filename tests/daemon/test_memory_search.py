"""Search through the daemon while the embedding model comes and goes, and many who tell at once."""

import re
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from daemon.client import Turn

Home = Any


def _with_notes(home: Home, count: int) -> Home:
    home.paths.vault.mkdir(parents=True)
    for number in range(count):
        (home.paths.vault / f"Note {number}.md").write_text(f"# Note {number}\n\nThing number {number} is blue.\n")
    return home


def test_a_search_does_not_wait_for_a_model_that_loads(home: Home) -> None:
    """With the model unloaded, a search answers by keyword in time and says so; the model is loaded by then on."""
    _with_notes(home, 3)
    home.configure('[models]\nembed = "tiny-embed"\n[memory]\nsearch_wait_ms = 1\n')
    home.add_fake_model("tiny-embed", "embed")
    home.start()
    home.until(lambda: home.client.status().index.vectors == 3)
    home.client.unload("tiny-embed")
    reply = home.client.search("thing number 2")
    assert reply.hits[0].path == "Note 2.md"
    assert reply.notice is not None
    assert "tiny-embed is being loaded" in reply.notice
    home.until(lambda: any(worker.model == "tiny-embed" for worker in home.client.status().workers))


def test_questions_that_come_at_once_are_each_answered_by_meaning_and_embedded_once(home: Home) -> None:
    """Eight at once: each has its vector in time, asked for once, also where a limit on days stands in its words."""
    _with_notes(home, 3)
    home.configure('[models]\nembed = "tiny-embed"\n[memory]\nsearch_wait_ms = 60000\n')
    home.add_fake_model("tiny-embed", "embed")
    home.start()
    home.until(lambda: home.client.status().index.vectors == 3)
    home.client.search("is the model loaded")
    before = _embedded(home)
    questions = [f"which thing is number {number}" for number in range(8)]
    with ThreadPoolExecutor(8) as pool:
        replies = list(pool.map(home.client.search, questions))
    assert [reply.notice for reply in replies] == [None] * 8
    assert [reply.hits[0].path for reply in replies[:3]] == ["Note 0.md", "Note 1.md", "Note 2.md"]
    assert _embedded(home) == before + 8
    assert home.client.search("blue thing after:1999").notice is None
    assert home.client.search("blue thing", mode="keyword").hits
    assert home.client.search("bl", typing=True).hits
    assert _embedded(home) == before + 9


def _embedded(home: Home) -> int:
    """How many texts were embedded since the start."""
    return int(re.findall(r"^reverie_embedded_texts_total (\d+)", home.client.metrics(), re.MULTILINE)[0])


def test_pain_17_a_restart_embeds_nothing(home: Home) -> None:
    """pain 17: after a restart with unchanged pages no text is embedded and no model is loaded."""
    _with_notes(home, 20)
    home.configure('[models]\nembed = "tiny-embed"\n')
    home.add_fake_model("tiny-embed", "embed")
    home.start()
    home.until(lambda: home.client.status().index.vectors == 20)
    home.stop()
    home.close()
    home.start()
    home.until(lambda: home.client.status().index.lag_s == 0)
    status = home.client.status()
    assert (status.index.vectors, status.index.pending_vectors, status.workers) == (20, 0, [])
    assert "reverie_embedded_texts_total 0" in home.client.metrics()


def test_pages_that_are_missing_all_at_once_are_told(home: Home) -> None:
    """Where a vault looks unmounted its pages stay known, and the status says why it counts what is not there."""
    _with_notes(home, 5)
    home.configure('[models]\nembed = ""\n')
    home.start()
    home.until(lambda: home.client.status().index.pages == 5)
    home.stop()
    home.close()
    for page in home.paths.vault.glob("Note *.md"):
        page.unlink()
    home.start()
    home.until(lambda: home.client.status().index.lag_s == 0)
    status = home.client.status()
    assert status.index.pages == 5
    assert any("5 of 5 pages are missing at once" in problem for problem in status.problems)


def test_an_embedding_model_that_is_removed_leaves_keyword_search(home: Home) -> None:
    """Without its model search goes on by keyword, and doctor names what is missing."""
    _with_notes(home, 3)
    home.configure('[models]\nembed = "tiny-embed"\n')
    home.add_fake_model("tiny-embed", "embed")
    home.start()
    home.until(lambda: home.client.status().index.vectors == 3)
    home.client.remove_model("tiny-embed")
    assert home.client.search("thing number 2").hits[0].path == "Note 2.md"
    assert any("tiny-embed is not installed" in finding.message for finding in home.client.doctor())


def test_many_who_tell_at_once_are_all_heard(home: Home) -> None:
    """Sixteen chats at once: every fact is filed, every exchange is in the journal, whole."""
    home.configure('[models]\nembed = ""\n')
    home.start()

    def tell(number: int) -> str:
        words = f"Our locker {number} code is sesame{number}."
        with home.client.chat_stream([Turn("user", words)], model="nobody:memory") as stream:
            return "".join(chunk.text for chunk in stream)

    with ThreadPoolExecutor(16) as pool:
        replies = list(pool.map(tell, range(16)))
    assert all(f"sesame{number}" in reply for number, reply in enumerate(replies))
    page = home.client.page("facts/Us.md").text
    journal = home.journal
    for number in range(16):
        assert f"sesame{number} " in page
        assert f"> Our locker {number} code is sesame{number}.\n" in journal
    assert journal.count("\n---\n") == 16
