"""The engine, llama.cpp, built for this machine: a wheel that is made once and kept for all clones."""

import contextlib
import hashlib
import os
import platform
import re
import shutil
import subprocess
import sys
from pathlib import Path

from make import places, programs
from make.places import Failed, say
from make.progress import BuildProgress, expected

ENGINE = "llama-cpp-python"


def _version():
    for line in places.CONSTRAINTS.read_text().splitlines():
        if line.startswith(ENGINE + "=="):
            return line.split("==")[1].strip()
    raise Failed("%s names no version of %s" % (places.CONSTRAINTS, ENGINE))


def key():
    """What a built engine fits: its version, this Python, and a processor that can do what it was built for."""
    cpu = platform.processor()
    with contextlib.suppress(OSError):
        cpu += "".join(re.findall(r"^(?:flags|Features)\s*:.*$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)[:1])
    if sys.platform == "darwin":
        cpu += subprocess.run(["sysctl", "-n", "machdep.cpu.brand_string"], stdout=subprocess.PIPE).stdout.decode()
    short = hashlib.sha256(cpu.encode()).hexdigest()[:8]
    return "%s-py%d.%d-%s-%s-%s" % (_version(), *sys.version_info[:2], sys.platform, platform.machine(), short)


def must_be_had(key):
    """Fail where there is neither a wheel of the engine nor a compiler, before anything is made or fetched."""
    if _wheel(key) is None:
        _must_compile()


def _folders(key):
    """Where a wheel that was built is kept: in this clone, and for all clones on this machine."""
    return places.CACHE / "wheels" / key, places.build_cache() / "wheels" / key


def _wheel(key):
    """The owner's wheel, or one built before; None where it is to be built."""
    own = os.environ.get("REVERIE_WHEELS")
    if not own:
        return next(filter(None, map(_wheel_in, _folders(key))), None)
    wheel = _wheel_in(Path(own).expanduser())
    if wheel is None:
        raise Failed("REVERIE_WHEELS names %s, which holds no wheel of %s" % (own, ENGINE))
    return wheel


def install(key, keep_open=()):
    """A wheel of llama-cpp-python: the owner's, one built before, or one built now."""
    here, shared = _folders(key)
    wheel = _wheel(key)
    if not os.environ.get("REVERIE_WHEELS"):
        wheel = wheel or _build(here, keep_open)
        _share(wheel, here)
        _share(wheel, shared)
    say("engine", wheel.name)
    programs.install([str(wheel)])
    if subprocess.call(
        [str(places.PYTHON), "-c", "import llama_cpp"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ):
        for folder in (here, shared):
            shutil.rmtree(str(folder), ignore_errors=True)
        raise Failed("the engine %s does not load on this machine; run it again to build it anew" % wheel.name)


def _wheel_in(folder):
    return next(iter(sorted(folder.glob("llama_cpp_python-*.whl"))), None)


def _share(wheel, folder):
    """Keep *wheel* in *folder* too. A cache that cannot be written is no failure."""
    target = folder / wheel.name
    if target.exists():
        return
    with contextlib.suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        part = folder / (wheel.name + ".part")
        shutil.copyfile(str(wheel), str(part))
        part.replace(target)


def _must_compile():
    """Fail where nothing can be compiled."""
    compiler = os.environ.get("CXX") or next(filter(None, map(shutil.which, ("c++", "g++", "clang++"))), None)
    probe = b"#include <vector>\nint main() { return 0; }\n"
    works = compiler is not None and _compiles(compiler.split(), probe)
    if not works:
        raise Failed(
            "there is no working C++ compiler, and the engine is built from source; install one (Debian, Ubuntu: apt"
            " install g++; Fedora: dnf install gcc-c++; macOS: xcode-select --install), or put a wheel of %s==%s into"
            " a folder and name it in REVERIE_WHEELS" % (ENGINE, _version())
        )


def _build(folder, keep_open):
    """Build it in a folder of its own, which is whole or does not count: after a kill the next run starts over."""
    _must_compile()
    say(
        "engine",
        "building %s for this processor: %s, once; what it says is in %s"
        % (ENGINE, expected(), places.LOG.relative_to(places.ROOT)),
    )
    build = places.CACHE / "wheels.part"
    shutil.rmtree(str(build), ignore_errors=True)
    (build / "tmp").mkdir(parents=True)
    environment = dict(os.environ, TMPDIR=str(build / "tmp"))  # so that a kill leaves nothing elsewhere
    environment.setdefault("CMAKE_ARGS", "-DGGML_NATIVE=ON")
    environment.setdefault("CMAKE_BUILD_PARALLEL_LEVEL", str(os.cpu_count() or 1))
    command = [str(places.PYTHON), "-m", "pip", "wheel", "-v", "--no-deps", "--no-input", "--disable-pip-version-check"]
    command += ["--no-binary", ENGINE, "--wheel-dir", str(build), "%s==%s" % (ENGINE, _version())]
    programs.logged(
        command, "the engine could not be built", environment=environment, progress=BuildProgress(), keep_open=keep_open
    )
    wheel = _wheel_in(build)
    if wheel is None:
        raise Failed("the build of the engine left no wheel; its words are in %s" % places.LOG.relative_to(places.ROOT))
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / wheel.name
    wheel.replace(target)
    shutil.rmtree(str(build), ignore_errors=True)
    return target


def _compiles(compiler, source):
    try:
        done = subprocess.run(
            compiler + ["-x", "c++", "-fsyntax-only", "-"],
            input=source,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
    except OSError:
        return False
    return done.returncode == 0
