"""What a search finds, in which order, and what it says of itself."""

from collections.abc import Callable

import numpy as np
import pytest

from memory_store.index.nearness import Measured, Places, Scanned
from memory_store.index.vectors import Vectors
from memory_store.index.whoosh_index import QueryInvalid
from memory_store.search import EVIDENCE, shipped_weights

PAGES = {
    "facts/Work.md": "# Work\n\n- [team lead] Mina Olsen\n- [code reviewer] Arno Weiss\n- [framework] Svelte\n",
    "garden.md": "---\ntags: [outdoors]\n---\n# Garden\n\nThe tomatoes were watered.\n\n## Pests\n\nAphids on roses.\n",
    "trips/riga.md": "# Trip to Riga\n\nWe went by ferry and children slept well.\n",
    "trips/porto.md": "# Porto\n\nThe tram climbs to the castle. A child waved.\n",
}


@pytest.mark.parametrize(
    ("query", "path", "line"),
    [
        ("who is the team lead?", "facts/Work.md", 3),
        ("code reviewer", "facts/Work.md", 4),
        ("watering tomato", "garden.md", 6),
        ("aphid", "garden.md", 10),
        ("pests", "garden.md", 10),
        ("going by ferries", "trips/riga.md", 3),
        ("riga", "trips/riga.md", 3),
    ],
)
def test_a_question_finds_its_line(make_bench: Callable, query: str, path: str, line: int) -> None:
    """Stems, irregular forms, titles, headings, tags and single facts lead to the right line."""
    hit = make_bench(PAGES).index.search(query)[0]
    assert (hit.path, hit.start_line) == (path, line)


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("今天在云工开物领取了优惠券。", "云工开物 优惠券"),
        ("今天在云工开物领取了优惠券。", "优惠券"),
        ("今天在云工开物领取了优惠券。", "券"),
        ("私は東京タワーに行きました", "東京タワー"),
        ("서울에서 김치를 먹었다", "김치"),
        ("ฉันชอบกินข้าวผัดที่ร้านนี้", "ข้าวผัด"),
        ("ذهبت إلى المدرسة صباحا", "مدرسة"),
        ("كتبَ الطالبُ الدرس", "كتب الطالب"),
        ("Die Krankenversicherungskarte liegt in der Schublade und ist nicht mehr neu.", "Versicherungskarte"),
        ("Die Krankenversicherungskarte liegt in der Schublade und ist nicht mehr neu.", "Karte"),
        ("Die Karte der Krankenversicherung liegt in der Schublade.", "Krankenversicherungskarte"),
        ("Der Donaudampfer und das Schifffahrtsamt sind nicht weit.", "Schifffahrt"),
        ("Unsere Haftpflichtversicherungspolice ist da: 保险 страховка حماية", "Versicherung"),
        ("Unsere Haftpflichtversicherungspolice ist da: 保险 страховка حماية", "Versicherungen"),
        ("Donaudampfschifffahrtsgesellschaft 船 пароход", "Schifffahrt"),
        ("Le café d'été à Besançon", "cafe ete besancon"),
        ("Die Straße nach Zürich", "strasse zurich"),
        ("Кошки спали на крыше дома, и это было не в первый раз", "кошка крыша"),
        ("Los niños están jugando en la playa con una pelota", "niño jugar"),
        ("call getUserName before saveUser", "user name"),
        ("ＦＵＬＬ　ｗｉｄｔｈ", "full width"),
    ],
)
def test_pain_14_scripts_without_spaces_and_compound_words_are_found(
    make_bench: Callable, text: str, query: str
) -> None:
    """pain 14: Chinese, Japanese, Korean, Thai, Arabic, German compounds, accents, other languages' forms: found."""
    noise = {f"n{i}.md": f"an English page about something else, number {i}\n" for i in range(5)}
    bench = make_bench({"page.md": text + "\n", **noise})
    hits = bench.index.search(query, limit=3)
    assert hits
    assert hits[0].path == "page.md"
    assert hits[0].marks or "Versicherung" in query or "Karte" in query or "karte" in query or query == "user name"


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("Wein", {"keller.md"}),
        ("Tür", {"haus.md"}),
        ("Türen", {"haus.md"}),
        ("Salz", {"keller.md"}),
    ],
)
def test_pain_14_short_words_are_found_inside_compounds_and_not_by_chance(
    make_bench: Callable, query: str, found: set[str]
) -> None:
    """pain 14: *Wein* is in *Rotweinflaschen*, whose other parts the vault knows, and not in *Schweinebraten*."""
    bench = make_bench(
        {
            "keller.md": "Im Keller stehen die Rotweinflaschen und das Meersalz ist auch da, aber nicht mehr viel.\n",
            "haus.md": "Die Haustürschlüssel sind bei der Nachbarin und der Zweitschlüssel ist nicht mehr da.\n",
            "essen.md": "Der Schweinebraten und die Kultur sind für alle und es ist auch nicht schlecht.\n",
            "worte.md": "Rotes Haus, eine Flasche, das Meer und der Schlüssel sind auch für uns und nicht nur da.\n",
        }
    )
    assert bench.paths(query) == sorted(found)


REFERENCE = {
    "api.md": """# API

## `napi_has_property`

Checks whether an object has the named property.

## `napi_property_attributes`

The property of a property: attributes of properties, each property by itself, has no napi of its own.

## `buffer.from(array)`

Makes a buffer of an array.

## `buffer.fill(value)`

The buffer is filled; a buffer that is longer than the buffer of the value is filled with the buffer again.

## `process.env.NO_COLOR`

Colours are off.

## `--input-type=type`

How input is read.

## Types of input

The type of the input is the type that the input has: type by type, input by input, no other type, no other input.

## Releases

Of release 1.12.3 nothing is left, and of 12.3.1 a part. The dashboard of 2024-05-08 shows both.

## Colours

No color is like another color; there is no color that no other color is like.
"""
}


@pytest.mark.parametrize(
    ("query", "heading"),
    [
        ("napi_has_property", "napi_has_property"),
        ("what does napi_has_property do?", "napi_has_property"),
        ("Buffer.from", "buffer.from(array)"),
        ("NO_COLOR", "process.env.NO_COLOR"),
        ("--input-type", "--input-type=type"),
        ("1.12.3", "Releases"),
        ("2024-05-08", "Releases"),
        ("no_such_name buffer.from", "buffer.from(array)"),
    ],
)
def test_names_of_functions_options_and_versions_are_found_as_they_are_written(
    make_bench: Callable, query: str, heading: str
) -> None:
    """What is joined by `_`, `.` or `-` is a word of its own, whose small words count; so are its parts."""
    hit = make_bench(REFERENCE).index.search(query)[0]
    assert hit.heading.rpartition(" > ")[2].strip("`") == heading


def test_while_typing_a_name_goes_on_whole_and_in_its_last_part(make_bench: Callable) -> None:
    """The beginning of a joined name finds it, and pages that write its words apart."""
    bench = make_bench({**REFERENCE, "apart.md": "The quokka snapshot is near the limit.\n"})
    assert bench.index.search("napi_has_pr", typing=True)[0].start_line == 5
    assert bench.index.search("quokka-snaps", typing=True)[0].path == "apart.md"


def test_marks_show_the_words_that_matched(make_bench: Callable) -> None:
    """Marks cut the matched words out of the snippet, which is one line around them even in a long passage."""
    filler = "and so on and so forth " * 20
    bench = make_bench({"a.md": f"{filler}the quokkas were sleeping\nsoundly {filler}\n"})
    hit = bench.index.search("sleeping quokka")[0]
    assert [hit.snippet[start:end] for start, end in hit.marks] == ["quokkas", "sleeping"]
    assert hit.terms == ("quokkas", "sleeping")
    assert "\n" not in hit.snippet
    assert len(hit.snippet) < 260


def test_a_hit_explains_itself(make_bench: Callable, hash_embedder: object) -> None:
    """With explain each hit has parts that add up to its score; without there are none."""
    bench = make_bench(PAGES, embedder=hash_embedder)
    bench.embed_all()
    hits = bench.index.search("ferry to riga", explain=True)
    for hit in hits:
        assert {part.name for part in hit.parts} <= set(EVIDENCE)
        assert sum(part.share for part in hit.parts) == pytest.approx(hit.score, abs=1e-3)
    assert hits[0].parts[0].rank == 1
    assert bench.index.search("ferry")[0].parts == ()
    assert set(shipped_weights(with_vectors=True)) == set(EVIDENCE)


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        (" OR ".join(["tram"] * 17), "33 words"),
        ("tram~ " * 5, "5 words with ~"),
        ("(" * 2000 + "tram" + ")" * 2000, "brackets are more than 32 deep"),
        ("tram" * 30_000, "120,000 characters"),
    ],
)
def test_a_query_that_would_keep_everybody_waiting_is_refused(make_bench: Callable, query: str, reason: str) -> None:
    """In the query language what takes Whoosh seconds is refused in one short line; of plain words the first count."""
    bench = make_bench(PAGES)
    with pytest.raises(QueryInvalid, match=reason) as refused:
        bench.index.search(query, syntax=True)
    assert len(str(refused.value)) < 300
    assert bench.paths("tram " + "x" * 200_000) == ["trips/porto.md"]


def test_prefix_keeps_hits_below_a_folder(make_bench: Callable) -> None:
    """--prefix filters before the limit counts."""
    bench = make_bench(PAGES)
    assert {hit.path for hit in bench.index.search("child", prefix="trips/")} == {"trips/riga.md", "trips/porto.md"}
    assert bench.paths("child", prefix="trips/porto", limit=1) == ["trips/porto.md"]
    assert bench.paths("team lead", prefix="trips/") == []
    assert bench.paths("castle", prefix="trips/", syntax=True) == ["trips/porto.md"]


@pytest.mark.parametrize(
    ("query", "paths"),
    [
        ("title:porto", {"trips/porto.md"}),
        ('"team lead"', {"facts/Work.md"}),
        ('"lead team"', set()),
        ("tom*", {"garden.md"}),
        ("feri~", set()),
        ("fery~", {"trips/riga.md"}),
        ("tram AND castle", {"trips/porto.md"}),
        ("tram castle", {"trips/porto.md"}),
        ("ferry castle", set()),
        ("ferry OR tram", {"trips/porto.md", "trips/riga.md"}),
        ("child NOT tram", {"trips/riga.md"}),
        ("tags:outdoors AND headings:pests", {"garden.md"}),
        ("kind:fact AND svelte", {"facts/Work.md"}),
        ("path:trips/*", {"trips/porto.md", "trips/riga.md"}),
        ("going", {"trips/riga.md"}),
    ],
)
def test_whoosh_query_language(make_bench: Callable, query: str, paths: set[str]) -> None:
    """Fields, phrases, wildcards, fuzzy terms and operators mean what Whoosh's documentation says."""
    assert set(make_bench(PAGES).paths(query, syntax=True)) == paths


@pytest.mark.parametrize("query", ["(tram", "tram)", '"tram', "titel:porto", "tram AND", "OR tram", "row:x"])
def test_a_query_that_cannot_be_read_is_refused(make_bench: Callable, query: str) -> None:
    """What Whoosh would silently read as something else is a QueryInvalid that says what is wrong."""
    with pytest.raises(QueryInvalid) as caught:
        make_bench(PAGES).index.search(query, syntax=True)
    assert caught.value.query == query
    assert caught.value.reason in str(caught.value)


@pytest.mark.parametrize("query", ["", "   ", "?!", "the", "title:", "(tram", '"', "\0", "who is the of"])
def test_plain_words_never_fail(make_bench: Callable, query: str) -> None:
    """Whatever is typed as plain words is searched, not parsed."""
    make_bench(PAGES).index.search(query)


def test_a_very_long_query_is_answered(make_bench: Callable) -> None:
    """Pasted pages and endless words cost no more than their words."""
    bench = make_bench(PAGES)
    assert list(bench.index.search("a" * 50_000)) == []
    assert bench.paths("lorem ipsum dolor " * 2000 + "ferry")[0] == "trips/riga.md"


def test_did_you_mean_comes_from_the_vault(make_bench: Callable) -> None:
    """A misspelt word is offered as the vault spells it; words that stand there are left alone."""
    bench = make_bench(PAGES)
    assert bench.index.search("tomatos from the gardn").did_you_mean == "tomatos from the garden"
    assert bench.index.search("garden").did_you_mean is None


def test_vectors_find_what_keywords_miss(make_bench: Callable, hash_embedder: object) -> None:
    """Vector mode ranks by meaning alone; hybrid uses both; keyword needs no vectors."""
    bench = make_bench(PAGES, embedder=hash_embedder)
    assert bench.embed_all() == bench.index.status().chunks
    assert bench.paths("ferry children", mode="vector")[0] == "trips/riga.md"
    assert bench.paths("ferry children", mode="hybrid")[0] == "trips/riga.md"
    parts = {part.name for part in bench.index.search("ferry", mode="vector", explain=True)[0].parts}
    assert parts == {"vector", "page_vector"}


def test_without_its_embedder_a_search_goes_by_keyword_and_says_so(make_bench: Callable, hash_embedder: object) -> None:
    """A model that does not answer costs the vectors, not the search."""
    bench = make_bench(PAGES, embedder=hash_embedder)
    bench.embed_all()
    hash_embedder.available = False
    hits = bench.index.search("ferry")
    assert hits[0].path == "trips/riga.md"
    assert "the model is asleep" in hits.notice


def test_pain_18_vectors_of_another_model_are_never_mixed_in(make_bench: Callable, hash_embedder: object) -> None:
    """pain 18: another model of the same dimension: keyword with a notice while everything is embedded anew."""
    bench = make_bench({f"n{i}.md": f"quokka {i}\n" for i in range(10)}, embedder=hash_embedder)
    assert bench.embed_all() == 10
    other = type(hash_embedder)(digest="hash-2")
    bench.index.use_embedder(other)
    status = bench.index.status()
    assert (status.vectors, status.pending_vectors) == (0, 10)
    hits = bench.index.search("quokka", explain=True)
    assert "0 of 10" in hits.notice
    assert all(not part.name.startswith("vector") for hit in hits for part in hit.parts)
    assert bench.index.embed_pending(3) == 3
    assert bench.index.status().vectors == 3
    assert bench.embed_all() == 7
    assert bench.index.search("quokka").notice is None
    row = bench.index._embedding._vectors.rows(np.array([0]))[0]
    assert any(np.allclose(row, vector, atol=1e-3) for vector in type(hash_embedder)(digest="hash-2")(other.texts))
    assert len(list((bench.state / "vectors").iterdir())) == 1


def test_vectors_cut_short_by_a_crash_are_cut_off(make_bench: Callable, hash_embedder: object) -> None:
    """A torn last vector is dropped at open and made again; the whole ones stay."""
    bench = make_bench({f"n{i}.md": f"quokka {i}\n" for i in range(5)}, embedder=hash_embedder)
    bench.embed_all()
    matrix = next((bench.state / "vectors").glob("*/exact"))
    matrix.write_bytes(matrix.read_bytes()[:-10])
    hash_embedder.texts.clear()
    bench.reopen()
    assert bench.index.status().vectors == 4
    assert bench.embed_all() == 1
    assert len(hash_embedder.texts) == 1


def test_vectors_are_unit_and_found_by_key(tmp_path: object) -> None:
    """Rows are normalised, NaN rows match nothing, unknown keys have no slot, unused ones can be dropped."""
    vectors = Vectors(tmp_path, "d", 3)  # type: ignore[arg-type]
    assert list(vectors.slots(np.array([1], np.int64))) == [-1]
    vectors.add([7, -3], np.array([[3, 0, 4], [np.nan, 0, 0]], np.float32))
    assert list(vectors.slots(np.array([-3, 7, 8], np.int64))) == [1, 0, -1]
    assert np.allclose(vectors.rows(np.arange(2)), [[0.6, 0, 0.8], [0, 0, 0]], atol=5e-4)
    vectors.keep_only(np.array([-3], np.int64))
    again = Vectors(tmp_path, "d", 3)  # type: ignore[arg-type]
    assert list(again.slots(np.array([-3, 7], np.int64))) == [0, -1]
    assert len(Vectors(tmp_path, "d", 4)) == 0  # type: ignore[arg-type]


def test_exact_vectors_are_read_as_they_lie(tmp_path: object) -> None:
    """Each of the halves in the file, negative, zero or tiny, comes back as the same number."""
    vectors = Vectors(tmp_path, "d", 64)  # type: ignore[arg-type]
    rows = np.random.default_rng(5).standard_normal((300, 64)).astype(np.float32)
    rows[:, ::3] *= 1e-6
    rows[:, ::7] = -0.0
    vectors.add(range(300), rows)
    exact = np.fromfile(next(tmp_path.glob("*/exact")), np.float16).reshape(300, 64)  # type: ignore[attr-defined]
    assert 0 < np.abs(exact[exact != 0]).min() < np.finfo(np.float16).smallest_normal
    assert np.array_equal(vectors.rows(np.arange(300)), exact.astype(np.float32))


def test_times_in_a_question_and_limits_choose_the_day(make_bench: Callable) -> None:
    """A month in the question leads to its page; `on:` and `after:` keep others out, in both kinds of query."""
    pages = {f"log/2024-0{month}-10.md": "# Log\n\nwe went sailing with Ann\n" for month in range(1, 10)}
    bench = make_bench(pages)
    assert bench.paths("sailing in May 2024")[0] == "log/2024-05-10.md"
    assert bench.paths("sailing on:2024-03") == ["log/2024-03-10.md"]
    assert sorted(bench.paths("sailing after:2024-07", syntax=True)) == ["log/2024-08-10.md", "log/2024-09-10.md"]
    assert bench.paths("date:2024-02-10 AND sailing", syntax=True) == ["log/2024-02-10.md"]


def test_who_spoke_and_what_was_said_around_lead_to_a_turn(make_bench: Callable) -> None:
    """Of equal words the named speaker's are first; an answer is found by the words of the question before it."""
    talk = [
        ("Ann", "The lighthouse was painted red."),
        ("Ben", "The lighthouse was painted red."),
        ("Ann", "Which instrument does your sister play?"),
        ("Ben", "The oboe, since she was nine."),
        ("Ann", "Lovely weather today."),
        ("Ben", "Yes, quite warm."),
    ]
    bench = make_bench({"chat.md": "# Chat\n\n" + "\n\n".join(f"**{name}:** {text}" for name, text in talk) + "\n"})
    assert bench.index.search("who did Ben say painted the lighthouse red")[0].start_line == 5
    lines = [hit.start_line for hit in bench.index.search("which instrument does the sister of Ben play", limit=2)]
    assert 9 in lines


def test_looking_coarsely_first_finds_the_same_ten(tmp_path: object) -> None:
    """Of 60,000 vectors, in clusters as texts make them, the ten nearest are those that exact float32 finds."""
    rng = np.random.default_rng(3)
    middles = rng.standard_normal((300, 64)).astype(np.float32)
    rows = middles[rng.integers(0, 300, 60_000)] + 0.8 * rng.standard_normal((60_000, 64)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    vectors = Vectors(tmp_path, "d", 64)  # type: ignore[arg-type]
    vectors.add(range(60_000), rows)
    same = 0
    for asked in rows[rng.integers(0, 60_000, 100)] + 0.05 * rng.standard_normal((100, 64)).astype(np.float32):
        vector = asked / np.linalg.norm(asked)
        near = Scanned(vectors, Places.of(np.arange(60_000, dtype=np.int32)), vector)
        exact = rows @ vector
        best = near.best(10, None)
        assert np.abs(near.at(best) - exact[best]).max() < 0.002
        same += len(np.intersect1d(best, np.argsort(-exact)[:10]))
    assert same / 1000 >= 0.99


def test_chunks_are_found_by_their_vectors_whichever_share_one(tmp_path: object) -> None:
    """Where several chunks have one vector, and some none, the nearest are those that all cosines tell."""
    rng = np.random.default_rng(4)
    vectors = Vectors(tmp_path, "d", 16)  # type: ignore[arg-type]
    vectors.add(range(300), rng.standard_normal((300, 16)).astype(np.float32))
    slots = rng.integers(-1, 200, 700).astype(np.int32)  # a hundred vectors came later
    places = Places.of(slots)
    allowed = rng.random(700) < 0.8
    for _ in range(20):
        vector = rng.standard_normal(16).astype(np.float32)
        vector /= np.linalg.norm(vector)
        cosines = np.where(slots >= 0, vectors.rows(np.maximum(slots, 0)) @ vector, 0).astype(np.float32)
        for count, mask in ((10, None), (60, allowed), (250, None)):
            scanned = Scanned(vectors, places, vector)
            best = scanned.best(count, mask)
            assert best.tolist() == Measured(cosines).best(count, mask).tolist()
            rows = np.sort(rng.choice(700, 50, replace=False))
            assert np.allclose(scanned.at(rows), cosines[rows], atol=1e-6)


def test_while_typing_the_last_word_is_one_that_begins_so(make_bench: Callable, hash_embedder: object) -> None:
    """`tomat` finds tomatoes while it is typed, by keyword alone; a word that is finished is taken as it stands."""
    bench = make_bench({"a.md": "Tomatoes ripen in August.\n", "b.md": "The ferry to Riga.\n"}, embedder=hash_embedder)
    bench.embed_all()
    hash_embedder.texts.clear()
    found = bench.index.search("august tomat", typing=True)
    assert [hit.path for hit in found] == ["a.md"]
    assert found[0].marks
    assert not bench.index.search("tom ", typing=True, mode="keyword")
    assert [hit.path for hit in bench.index.search("fe", typing=True)] == ["b.md"]
    assert not hash_embedder.texts


VOICES = {
    "de.md": "Wir haben die Schiffsreise nach Hamburg gebucht, und die Kinder sind nicht müde.\n",
    "fr.md": "Nous avons acheté des pommes au marché avec les enfants pour la tarte.\n",
    "ru.md": "Мы не были на даче, но собаки играли с детьми во дворе, и это было хорошо.\n",
    "ja.md": "昨日、京都の図書館で新しい本を借りました。\n",
    "zh.md": "我们在上海买了一台新的自行车,天气很好。\n",
    "th.md": "เราไปตลาดน้ำกับครอบครัวเมื่อวานนี้\n",
    "ar.md": "ذهبت العائلة إلى المدرسة الجديدة في الصباح.\n",
    "en.md": "The children were swimming in the lake while the keeper repaired both boats.\n",
}


@pytest.mark.parametrize(
    ("query", "path"),
    [
        *(("Reise mit dem Schiff", "de.md"), ("Hamburg Kind", "de.md"), ("müdes Kind", "de.md")),
        *(("pomme", "fr.md"), ("acheter tarte", "fr.md"), ("marche", "fr.md")),
        *(("собака", "ru.md"), ("дети играют", "ru.md"), ("дача", "ru.md")),
        *(("図書館", "ja.md"), ("新しい本", "ja.md"), ("京都", "ja.md")),
        *(("自行车", "zh.md"), ("上海天气", "zh.md"), ("新的自行车", "zh.md")),
        *(("ตลาดน้ำ", "th.md"), ("ครอบครัว", "th.md"), ("เมื่อวาน", "th.md")),
        *(("مدرسة", "ar.md"), ("عائلة", "ar.md"), ("صباح", "ar.md")),
        *(("swim lake", "en.md"), ("repairing a boat", "en.md"), ("child swam", "en.md")),
    ],
)
def test_pain_14_each_language_of_a_mixed_vault_is_found(make_bench: Callable, query: str, path: str) -> None:
    """pain 14: notes in eight languages side by side; each is found by other forms of its words."""
    assert make_bench(VOICES).paths(query)[0] == path


def test_values_of_the_frontmatter_are_found_at_their_lines(make_bench: Callable) -> None:
    """What Obsidian calls properties is searched like text: key and value lead to the line."""
    page = "---\ntags: [people]\nrole: mechanic\nstatus: active\nbirthday: 1988-04-02\n---\n# Ana\n\nShe sails.\n"
    bench = make_bench({**PAGES, "people/Ana.md": page})
    for query in ("status active", "role mechanic", "birthday 1988-04-02", "mechanic"):
        hit = bench.index.search(query)[0]
        assert (hit.path, hit.start_line, hit.end_line) == ("people/Ana.md", 3, 5)


def test_what_has_nothing_to_do_with_a_question_is_no_hit(make_bench: Callable, hash_embedder: object) -> None:
    """Pages without words are found by their title alone, by vectors as by words; far vectors alone are no hit."""
    bench = make_bench({**PAGES, "empty.md": "", "broken.md": "---\n"}, embedder=hash_embedder)
    bench.embed_all()
    assert bench.paths("empty", limit=1) == ["empty.md"]
    found = {query: bench.index.search(query, limit=20, explain=True) for query in ("riga ferry", "castle", "roses")}
    for hits in found.values():
        assert hits
        assert not {"empty.md", "broken.md"} & {hit.path for hit in hits}
        for hit in hits:
            by = {part.name: part.score for part in hit.parts}
            assert by["keyword"] > 0 or by["around"] > 0 or by["vector"] >= 0.15


def test_what_was_shown_before_is_never_shown_when_it_is_gone(make_bench: Callable) -> None:
    """What was shown is remembered, but each search looks anew whether its file still says it, and where."""
    bench = make_bench({"a.md": "# Tide\n\nhigh water at the quay\n", "b/c.md": "# Rope\n\nlow water at the quay\n"})

    def found() -> list[tuple[str, int, str]]:
        return sorted((hit.path, hit.start_line, hit.text) for hit in bench.index.search("water quay", mode="keyword"))

    both = [("a.md", 3, "high water at the quay"), ("b/c.md", 3, "low water at the quay")]
    assert found() == both
    assert found() == both
    bench.write("a.md", "# Tide\n\nnothing here\n")
    assert found() == both[1:]
    bench.write("a.md", "# Tide\n\nmore\n\n## Quay\n\nhigh water at the quay\n")
    bench.index.sync()
    assert found()[0] == ("a.md", 7, "high water at the quay")
    (bench.root / "b").rename(bench.root / "d")
    assert [path for path, _, _ in found()] == ["a.md"]
    bench.index.sync()
    assert [path for path, _, _ in found()] == ["a.md", "d/c.md"]
    (bench.root / "d/c.md").rename(bench.root / "e.md")
    (bench.root / "d/c.md").symlink_to(bench.root / "e.md")
    assert [path for path, _, _ in found()] == ["a.md"]
    (bench.root / "d/c.md").unlink()
    (bench.root / "e.md").rename(bench.root / "d/c.md")
    assert [path for path, _, _ in found()] == ["a.md", "d/c.md"]
    (bench.root / "d").rename(bench.root.parent / "outside")
    (bench.root / "d").symlink_to(bench.root.parent / "outside")
    assert [path for path, _, _ in found()] == ["a.md"]
    (bench.root / "a.md").unlink()
    assert found() == []


def test_who_asks_when_finds_who_tells_it_and_two_turns_around_count(make_bench: Callable) -> None:
    """Of passages that say the same, one that names a time answers a question for it; words two turns off count too."""
    talk = [
        ("Ann", "The ferry, oh, the ferry to the island."),
        ("Bob", "Yes."),
        ("Ann", "It sailed at dawn."),
        ("Ann", "I was on the ferry last Friday, to the island."),
        ("Bob", "Good."),
        ("Ann", "It sails at noon."),
    ]
    bench = make_bench({"talk.md": "\n\n".join(f"**{who}:** {said}" for who, said in talk)})
    found = {
        hit.text: {part.name: part.score for part in hit.parts}
        for hit in bench.index.search("when did Ann take the ferry to the island", explain=True, mode="keyword")
    }
    told = {text: parts.get("tells_when", 0.0) for text, parts in found.items()}
    assert [text for text, score in told.items() if score] == [
        "**Ann:** I was on the ferry last Friday, to the island."
    ]
    assert next(iter(found)).endswith("last Friday, to the island.")
    off = next(parts for text, parts in found.items() if "It sails at noon" in text)
    assert off["wide"] > off["around"]
    plain = bench.index.search("who was on the ferry to the island", explain=True, mode="keyword")
    assert all(part.name != "tells_when" for hit in plain for part in hit.parts)


def test_a_word_that_no_page_has_is_named_beside_what_is_near(make_bench: Callable, hash_embedder: Callable) -> None:
    """A search for what was forgotten, or never told, may find what is near; it says that no page has the word."""
    bench = make_bench(
        {"Guests.md": "The guest wifi password hangs at the door.\n", "Dog.md": "The dog sleeps.\n"},
        embedder=hash_embedder,
    )
    bench.embed_all()
    found = bench.index.search("wifi password heron-42-blue")
    assert found[0].path == "Guests.md"
    assert "heron-42-blue" in (found.notice or "")
    assert "password" not in (found.notice or "")
    assert bench.index.search("guest wifi password").notice is None
    assert bench.index.search("passwords of guests").notice is None
    for mode in ("keyword", "vector", "hybrid"):
        unsaid = bench.index.search("qwertzuiop", mode=mode)
        assert not unsaid or "no page says “qwertzuiop”" in (unsaid.notice or "")
