"""`reverie models`. Without a daemon, what needs only the folder of models works on that folder."""

import argparse
import contextlib
from pathlib import Path
from typing import TYPE_CHECKING

from daemon import model_info, wire
from daemon.cli import output
from daemon.cli.failure import CommandFailed
from daemon.client import Client, DaemonNotRunning

if TYPE_CHECKING:
    from daemon.config import Config
    from models.catalog import Catalog, Installed

STARTER = ("smollm2-135m-instruct", "all-minilm-l6-v2")
SOURCES = "starter, a name of `reverie models ls`, hf:owner/repo/file.gguf, an https address, or a file"


def configure(command: str, parser: argparse.ArgumentParser) -> None:  # noqa: ARG001 - one signature for all
    actions = parser.add_subparsers(metavar="ACTION", required=True)

    ls = actions.add_parser("ls", help="list models, installed and known", epilog="example: reverie models ls")
    ls.add_argument("--json", action="store_true", help="the list as JSON")
    ls.set_defaults(run=list_models)

    show = actions.add_parser(
        "show", help="everything about a model", epilog="example: reverie models show smollm2-135m-instruct"
    )
    show.add_argument("name", help="the model")
    show.add_argument("--json", action="store_true", help="the model as JSON")
    show.set_defaults(run=show_model)

    pull = actions.add_parser(
        "pull",
        help="fetch and verify a model; goes on where it stopped",
        epilog="examples:\n  reverie models pull starter\n  reverie models pull hf:owner/repo/file.gguf --name mine",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    pull.add_argument("source", help=SOURCES)
    pull.add_argument("--name", help="what to call it (default: from the file's name)")
    pull.add_argument("--sha256", metavar="HEX", help="refuse any other file")
    pull.add_argument("--json", action="store_true", help="the installed models as JSON; progress stays on stderr")
    pull.set_defaults(run=pull_model)

    rm = actions.add_parser("rm", help="delete a model's files", epilog="example: reverie models rm mine")
    rm.add_argument("name", help="the model")
    rm.set_defaults(run=remove_model)

    check = actions.add_parser(
        "check",
        help="try what a model can be trusted with (needs the daemon)",
        epilog="example: reverie models check smollm2-135m-instruct",
    )
    check.add_argument("name", nargs="?", help="the model (default: the one used for chat)")
    check.add_argument("--json", action="store_true", help="the report as JSON")
    check.set_defaults(run=check_model)

    bench = actions.add_parser(
        "bench",
        help="measure how fast models are on this machine (needs the daemon)",
        epilog="example: reverie models bench smollm2-135m-instruct",
    )
    bench.add_argument("name", nargs="?", help="the model (default: every installed one, one after the other)")
    bench.add_argument("--json", action="store_true", help="the reports as JSON")
    bench.set_defaults(run=bench_models)


def list_models(arguments: argparse.Namespace) -> int:
    """Print the models that are here, and those that can be fetched by name. Needs no daemon."""
    try:
        models = Client.from_environment().models()
    except DaemonNotRunning:
        catalog = _catalog()
        models = [model_info.installed(model) for model in catalog.installed()]
        models += [model_info.known(spec) for spec in model_info.missing(catalog)]
    if arguments.json:
        output.print_json(models)
        return 0
    rows = [
        [
            model.name,
            model.kind,
            output.size(model.size_bytes),
            "loaded" if model.loaded else "installed" if model.installed else "not installed",
            ", ".join(model.trust),
        ]
        for model in models
    ]
    output.print_table(rows, ("model", "kind", "size", "state", "trusted to"))
    return 0


def show_model(arguments: argparse.Namespace) -> int:
    """Print all that is known of a model. Needs no daemon."""
    try:
        model = Client.from_environment().model(arguments.name)
    except DaemonNotRunning:
        catalog = _catalog()
        spec = model_info.missing_one(catalog, arguments.name)
        model = model_info.known(spec) if spec else model_info.installed(catalog.get(arguments.name))
    if arguments.json:
        output.print_json(model)
        return 0
    rows = {
        "name": model.name,
        "kind": model.kind,
        "state": "loaded" if model.loaded else "installed" if model.installed else "not installed",
        "size": output.size(model.size_bytes),
        "sha256": model.sha256,
        "license": model.license,
        "context": f"{model.context_tokens} tokens" if model.context_tokens else None,
        "source": model.source,
        "trusted to": ", ".join(model.trust) or None,
    }
    for name, value in rows.items():
        if value is not None:
            print(f"{name:<10}  {value}")
    for warning in model.warnings:
        print(f"{'warning':<10}  {output.paint(warning, 'yellow')}")
    return 0


def pull_model(arguments: argparse.Namespace) -> int:
    """Fetch through the daemon, which then knows of it; without one, here."""
    source = arguments.source
    with contextlib.suppress(OSError):  # a name too long for a file is none
        here = Path(source).expanduser().absolute()
        source = str(here) if here.exists() and not here.is_dir() else source
    client = Client.from_environment()
    bar = output.ProgressBar()
    pulled: list[wire.ModelInfo] = []
    try:
        for one in _each(source):
            name = arguments.name or one
            with client.pull(one, name=arguments.name, sha256=arguments.sha256) as stream:
                for progress in stream:
                    bar.show(progress)
                    name = progress.step.removeprefix("installed ") if progress.done else name
            bar.end()
            if arguments.json:
                pulled.append(client.model(name))
            else:
                print(f"{name} is installed")
    except DaemonNotRunning:
        from daemon import config
        from daemon.paths import Paths

        installed = pull_here(source, config.load(Paths.find()), name=arguments.name, sha256=arguments.sha256)
        for model in installed:
            if arguments.json:
                pulled.append(model_info.installed(model))
            else:
                print(f"{model.name}: {output.size(model.size_bytes)} in {model.dir}")
    finally:
        bar.end()
    if arguments.json:
        output.print_json(pulled)
    return 0


def _each(source: str) -> tuple[str, ...]:
    """The sources that *source* stands for: `starter` is a small chat model and the embedding model."""
    return STARTER if source == "starter" else (source,)


def remove_model(arguments: argparse.Namespace) -> int:
    """Delete a model's files."""
    try:
        Client.from_environment().remove_model(arguments.name)
    except DaemonNotRunning:
        _catalog().remove(arguments.name)
    print(f"removed {arguments.name}")
    return 0


def named_or_chat(client: Client, name: str | None) -> str:
    """*name*, or the model that chats."""
    name = name or client.status().chat_model
    if name is None:
        raise CommandFailed(
            "NoModel", "no chat model is installed", "`reverie models pull starter` fetches a small one"
        )
    return name


def check_model(arguments: argparse.Namespace) -> int:
    """Print each small test as it ends, then what the model is trusted with."""
    client = Client.from_environment()
    name = named_or_chat(client, arguments.name)
    with client.check(name) as stream:
        for line in stream:
            if isinstance(line, wire.CheckReport):
                if arguments.json:
                    output.print_json(line)
                else:
                    scores = ", ".join(f"{ability} {score:.0%}" for ability, score in line.scores.items())
                    print(f"{line.model}: {scores} ({line.took_s:.0f} s)")
                    print(f"trusted to: {', '.join(line.trust) or 'nothing on this machine'}")
            elif not arguments.json:
                mark = output.paint("pass", "green") if line.passed else output.paint("fail", "red")
                print(f"  {mark}  {line.ability}: {line.name}  {output.paint(line.detail, 'dim')}".rstrip(), flush=True)
    return 0


def bench_models(arguments: argparse.Namespace) -> int:
    """Measure one model after the other, then print a table."""
    client = Client.from_environment()
    names = [arguments.name] if arguments.name else [m.name for m in client.models() if m.installed and _benched(m)]
    reports: list[wire.BenchReport] = []
    for name in names:
        with client.bench(name) as stream:
            for line in stream:
                if isinstance(line, wire.BenchReport):
                    reports.append(line)
                else:
                    output.narrate(f"{name}: {line.step} …")
    if arguments.json:
        output.print_json(reports)
        return 0
    rows = [
        [
            report.model,
            _figure(report.prompt_tokens_per_s, "tok/s"),
            _figure(report.generation_tokens_per_s, "tok/s"),
            _figure(report.first_token_ms, "ms"),
            _figure(report.texts_per_s, "/s"),
            "loaded" if report.load_s is None else f"{report.load_s:.1f} s",
            output.size(report.rss_bytes),
        ]
        for report in reports
    ]
    output.print_table(rows, ("model", "reads", "writes", "first token", "embeds", "load", "memory"))
    return 0


def _benched(model: wire.ModelInfo) -> bool:
    return model.kind in ("chat", "embed")


def _figure(value: float | None, unit: str) -> str:
    return "" if value is None else f"{value:.0f} {unit}"


def _catalog() -> "Catalog":
    from daemon import config
    from daemon.paths import Paths
    from models.catalog import Catalog

    paths = Paths.find()
    return Catalog(config.load(paths).models_path(paths))


def pull_here(
    source: str, settings: "Config", *, name: str | None = None, sha256: str | None = None
) -> "list[Installed]":
    """Fetch a model (`starter`: the starter models) in this process, with a progress bar; what is installed then."""
    from daemon.paths import Paths
    from models.catalog import Catalog
    from models.pull import pull

    catalog = Catalog(settings.models_path(Paths.find()))
    bar = output.ProgressBar()
    found: list[Installed] = []

    def show(step: str, completed: int, total: int) -> None:
        bar.show(wire.Progress(step=step, completed=completed, total=total))

    for one in _each(source):
        try:
            found.append(
                pull(one, catalog=catalog, name=name, sha256=sha256, progress=show, offline=settings.models.offline)
            )
        finally:
            bar.end()
    return found
