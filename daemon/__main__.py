"""`python -m daemon`: settings from everywhere, then run; an error becomes one line and an exit code."""

import argparse
import asyncio
import contextlib
import logging
import os
import sys
import threading
from collections.abc import Sequence

from daemon import config
from daemon.errors import AddressUnusable, ConfigInvalid, DaemonError, message_of, outcome_of
from daemon.paths import Paths
from daemon.vaults import VAULTS_FILE, KnownVaults

THREADS_AT_MOST_S = 3.0
# Products of vectors: threads of their own wait for cores on which models compute, each time as long as a search takes.
ONE_THREAD = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the daemon in this process; returns its exit code (`daemon.errors.Exit`)."""
    arguments = _parser().parse_args(argv)
    for name in ONE_THREAD:  # read when numpy is first imported
        os.environ.setdefault(name, "1")
    environ = dict(os.environ)
    if arguments.home:
        environ["REVERIE_HOME"] = arguments.home
    paths = Paths.find(environ)
    try:
        flags = _flags(arguments)
        settings = config.load(paths, environ, flags)
        settings.must_have_places(paths)
        KnownVaults(paths.state_dir / VAULTS_FILE).must_be_there(settings.vault_path(paths))
        from daemon.lifecycle import Daemon  # after the settings: a wrong line is told before anything heavy loads

        async def run() -> int:
            try:
                code = int(await Daemon(settings, paths, environ, flags).run(to_stderr=arguments.log_to_stderr))
            except (DaemonError, OSError) as error:
                code = _told(error)
            enders.append(_end_within(THREADS_AT_MOST_S, code))
            return code

        enders: list[threading.Timer] = []
        try:
            return asyncio.run(run())  # which waits for the threads of the loop
        finally:
            for ender in enders:
                ender.cancel()
    except (DaemonError, OSError) as error:
        return _told(error)


def _told(error: DaemonError | OSError) -> int:
    """The exit code of *error*, which is said on stderr in a line or two."""
    with contextlib.suppress(OSError):  # stderr may be a file on the very disk that is full
        print(f"reverie: {message_of(error)}", file=sys.stderr, flush=True)
        hint = outcome_of(error).hint
        if hint:
            print(f"  {hint}", file=sys.stderr, flush=True)
    return int(outcome_of(error).exit)


def _end_within(seconds: float, code: int) -> threading.Timer:
    """
    See this process ended with *code*, unless it is cancelled: Python waits for all threads, and one may hang in a call
    of the system's (a file of a dead network disk) that nothing can end.
    """

    def end() -> None:
        logging.shutdown()
        with contextlib.suppress(OSError, ValueError):
            sys.stderr.flush()
        os._exit(code)

    ender = threading.Timer(seconds, end)
    ender.daemon = True
    ender.start()
    return ender


def _flags(arguments: argparse.Namespace) -> dict[str, str]:
    """Settings from the command line, by dotted key."""
    flags: dict[str, str] = {}
    if arguments.host is not None:
        try:
            host, port = config.host_and_port(arguments.host)
        except ValueError:
            raise AddressUnusable(arguments.host, 0, "not host[:port]") from None
        flags["server.host"] = host
        if port is not None:
            flags["server.port"] = str(port)
    if arguments.port is not None:
        flags["server.port"] = arguments.port
    for entry in arguments.set:
        key, equals, value = entry.partition("=")
        if not equals:
            raise ConfigInvalid(f"--set {entry}", entry, "write it as KEY=VALUE, as in --set log.level=debug")
        flags[key.strip()] = value.strip()
    return flags


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="reverie serve", description="Run the daemon in this terminal.")
    parser.add_argument("--home", metavar="FOLDER", help="keep everything there (as REVERIE_HOME does)")
    parser.add_argument("--host", metavar="HOST[:PORT]", help="listen on this address")
    parser.add_argument("--port", metavar="N", help="listen on this port; 0: a free one")
    parser.add_argument(
        "--set", metavar="KEY=VALUE", action="append", default=[], help="any setting, as log.level=debug"
    )
    parser.add_argument("--log-to-stderr", action="store_true", default=sys.stderr.isatty(), help="log here too")
    return parser


if __name__ == "__main__":
    sys.exit(main())
