"""The night over HTTP and by command, on a running daemon."""

import re
from datetime import datetime
from typing import Any

import pytest

from daemon.cli import main
from daemon.cli.night import FAILURES
from daemon.client import DaemonError
from daemon.night.state import NightState
from daemon.night.triggers import Ledgered, night_of
from memory_store.files import Vault
from memory_store.journal import Exchange, Said, append_exchange

Home = Any


@pytest.fixture
def dreaming(home: Home, talk: list[tuple[str, str]], monkeypatch: pytest.MonkeyPatch) -> Home:
    """A daemon over a vault with a talk, in its quiet hours; the command line finds it."""
    home.paths.vault.mkdir(parents=True)
    vault = Vault(home.paths.vault, owned=True)
    append_exchange(vault, Exchange("s1", datetime(2026, 11, 20).astimezone(), "none", [Said(*turn) for turn in talk]))
    home.configure('[models]\nembed = ""\n')
    home.start().indexed(len(talk))
    monkeypatch.setenv("REVERIE_HOME", str(home.folder))
    return home


def test_the_night_is_run_shown_undone_and_its_policy_reset(dreaming: Home, capsys: pytest.CaptureFixture[str]) -> None:
    """Held back it waits and says why; --now overrides; log, show, undo and policy tell and change what is so."""
    client = dreaming.client
    waiting = client.dream()
    assert waiting.last is None
    assert waiting.waits_for
    assert main(["night", "run"]) == 0
    assert "it waits: " in capsys.readouterr().err
    assert main(["night", "status"]) == 0
    assert "waits:" in capsys.readouterr().out
    assert main(["night", "run", "--now"]) == 0
    told = capsys.readouterr().out
    run = client.dreams()[-1]
    assert f"{run.id} dream (Asked for): F1 " in told
    assert run.kept > 0
    shown = client.dream_of(run.id)
    assert len(shown.repairs) == run.kept
    assert all(repair.actions for repair in shown.repairs)
    status = client.night()
    assert status.last is not None
    assert status.lowered + status.ties > 0
    assert client.dream_policy().chances["noisy"]["decay"] > 0.5
    capsys.readouterr()
    assert main(["night", "show", shown.repairs[0].id]) == 0
    said = capsys.readouterr()
    assert FAILURES[shown.repairs[0].failure] in said.out
    assert "F1 is 1 where" in said.err
    assert main(["night", "log", "--json"]) == 0
    assert run.id in capsys.readouterr().out
    assert main(["night", "log"]) == 0
    line = next(line for line in capsys.readouterr().out.splitlines() if line.startswith(run.id))
    assert re.search(rf"dream +F1 \d\.\d+ -> \d\.\d+ +{run.kept} kept", line)
    assert main(["night", "undo", shown.repairs[0].id]) == 0
    assert capsys.readouterr().out == f"{shown.repairs[0].id}: 1 change undone\n"
    if (left := run.kept - 1) > 0:
        assert main(["night", "undo", run.id]) == 0
        assert capsys.readouterr().out == f"{run.id}: {left} {'change' if left == 1 else 'changes'} undone\n"
    assert client.night().lowered + client.night().ties == 0
    assert main(["night", "policy", "--reset"]) == 0
    assert client.dream_policy().groups == 0
    with pytest.raises(DaemonError) as refused:
        client.dream_of("2020-01-01-9")
    assert refused.value.kind == "NotFound"
    assert main(["night", "show", "2020-01-01-9"]) == 7


def test_at_once_is_at_once_though_the_night_is_spent(dreaming: Home) -> None:
    """A night whose minutes and tokens are used up says so and waits; --now dreams all the same, to its end."""
    state, now = NightState(dreaming.paths.state_dir / "night"), datetime.now().astimezone()
    state.write("kept", Ledgered(night=night_of(now), spent_s=1e6, spent_tokens=10**9))
    assert dreaming.client.dream().waits_for
    assert dreaming.client.dreams() == []
    dreaming.client.dream(now=True)
    run = dreaming.client.dreams()[-1]
    assert (run.kind, run.kept > 0) == ("dream", True)
    assert "used up" not in run.stopped


def test_what_was_learned_outlives_a_restart(dreaming: Home) -> None:
    """After the daemon is ended and started again, searches still lead to the reply, and say that a dream taught it."""
    asked = "what do you do about dinner on such lake trips with the boat?"

    def taught() -> bool:
        hit = dreaming.client.search(asked, limit=1, explain=True).hits[0]
        return "perch" in hit.text and any(part.name == "dream" for part in hit.parts)

    assert not taught()
    dreaming.client.dream(now=True)
    assert taught()
    dreaming.stop()
    dreaming.start()
    dreaming.until(lambda: dreaming.client.search(asked, limit=1).hits)
    assert taught()


def test_what_is_opened_is_counted_shown_and_reset(dreaming: Home, capsys: pytest.CaptureFixture[str]) -> None:
    """A page read after a search that found it counts once, a preview does not; `night ranking` tells and resets."""
    client = dreaming.client
    hit = client.search("wooden dinghy with a red sail").hits[0]
    client.page(hit.path, line=hit.start_line, preview=True)
    assert client.ranking().uses == {}
    client.page(hit.path, line=hit.start_line)
    assert main(["memory", "show", hit.path]) == 0
    assert client.ranking().uses == {"opened": 1}
    assert main(["night", "ranking"]) == 0
    shown = capsys.readouterr().out
    assert "all evidence weighs as shipped" in shown
    assert "opened" in shown
    client.dream(now=True)
    assert "uses to learn from" in client.ranking().outcome
    assert main(["night", "ranking", "--reset"]) == 0
    assert client.ranking().uses == {}
    assert [job.name for job in client.night().jobs] == ["decay", "dream", "ranking", "reflect", "rules"]
