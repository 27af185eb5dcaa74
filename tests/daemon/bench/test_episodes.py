"""The generated conversations of `reverie bench memory`, and what counts as a right answer to their questions."""

from daemon.bench.episodes import TASKS, Question, generate, is_right, knew


def test_the_same_seed_gives_the_same_episodes() -> None:
    """Figures can be compared: only another seed, or another place, makes another episode."""
    assert list(generate(4, 7)) == list(generate(4, 7))
    assert list(generate(4, 7)) != list(generate(4, 8))
    assert {episode.world for episode in generate(2, 7)} == {episode.world for episode in generate(4, 8)}


def test_every_episode_has_all_tasks_and_tells_their_answers() -> None:
    """Each right value was said in an earlier message; what must have been known before was said before the change."""
    for episode in generate(20, 3):
        assert {question.task for question in episode.questions} == set(TASKS)
        told = " ".join(words for session in episode.told for words in session.messages)
        for question in episode.questions:
            assert all(value in told for value in question.values), question
            assert question.before is None or question.before in told
        days = [session.day for session in (*episode.told, *episode.changed)]
        assert days == sorted(set(days))


def test_an_answer_is_judged_by_its_words() -> None:
    """A history needs its order, a cascade the new value without the old, an absence a doubt; a dump is no answer."""
    history = Question("history", "?", ("Pier Four", "Lock House"))
    assert is_right(history, "First Pier Four, then lock  house.")
    assert not is_right(history, "Lock House, before that Pier Four.")
    cascade = Question("cascade", "?", ("Emil Tarn",), ("Rosa Winther",))
    assert is_right(cascade, "It's Emil Tarn.")
    assert not is_right(cascade, "Emil Tarn, no longer Rosa Winther.")
    assert not is_right(cascade, "I'm not sure, perhaps Emil Tarn.")
    absence = Question("absence", "?", ("4417",), (), "4417")
    assert is_right(absence, "It was 4417, but I’m not sure any more.")
    assert not is_right(absence, "4417.")
    deletion = Question("deletion", "?", ("willow",))
    assert is_right(deletion, "You asked me to forget it.")
    assert not is_right(deletion, "Willow")
    assert not is_right(deletion, "")
    assert not is_right(Question("recall", "?", ("vest on",)), "vest on " * 200)


def test_not_knowing_counts_only_where_it_was_known() -> None:
    """Whoever never stored a fact earns nothing by not knowing it after the change."""
    question = Question("absence", "?", ("4417",), (), "4417")
    assert knew(question, "It is 4417.")
    assert not knew(question, "I don't know.")
    assert knew(Question("recall", "?", ("x",)), "")
