# /// script
# dependencies = ["nox[uv]"]
# ///
"""The one way to run things: ``nox`` is what CI runs, ``nox -l`` lists the rest."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import nox

nox.needs_version = ">=2025.5"
nox.options.default_venv_backend = "uv|virtualenv"
nox.options.reuse_venv = "yes"
nox.options.sessions = [
    "lint", "types", "arch", "tests", "scenarios", "properties", "coverage", "wheel", "clients", "browser",
    "conformance", "fuzz",
]  # fmt: skip

# Tests start many processes; without compiled modules on disk each would compile the SDK anew.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

PROJECT = nox.project.load_toml("pyproject.toml")
ROOT = Path(__file__).parent


def pinned(session: nox.Session) -> tuple[str, str]:
    """The versions of constraints.txt. pip takes them without their hashes: it has none for an editable project."""
    constraints = ROOT / "constraints.txt"
    if session.venv_backend == "uv":
        return "-c", str(constraints)
    plain = Path(session.create_tmp()) / "constraints.txt"
    plain.write_text(re.sub(r" *\\\n *--hash=\S+", "", constraints.read_text()))
    return "-c", str(plain)


def install(session: nox.Session, *groups: str, extras: str = "harness,gateway") -> None:
    """Put the project, editable, and some dependency groups into the session."""
    wanted = nox.project.dependency_groups(PROJECT, *groups) if groups else ()
    session.install(*pinned(session), "-e", f".[{extras}]", *wanted)


@nox.session
def scenarios(session: nox.Session) -> None:
    """Run every scenario file against the real server and the fakes, in this process, offline."""
    install(session)
    session.run("tzzr", "run", *session.posargs)


@nox.session
def tests(session: nox.Session) -> None:
    """Run the tests: virtual time, no network, warnings are errors. Arguments go to pytest."""
    install(session, "test", "paint")
    parallel = () if session.posargs else ("-n", "2")
    session.run("pytest", *parallel, *session.posargs)


NODE_CLIENTS = (
    "runpod-sdk@1.1.2",
    "@runpod/mcp-server@4.0.0",
    "@directus/sdk@26.0.0",
    "@modelcontextprotocol/sdk@1.32.2",
    "@modelcontextprotocol/client@2.4.0",
    "@modelcontextprotocol/inspector@2.12.0",
)

NODE_HOST = ("@modelcontextprotocol/ext-apps@2.0.4", "esbuild@0.28.2")


def node_modules(session: nox.Session, *packages: str) -> dict[str, str]:
    """Install JavaScript packages where there is npm; the environment that tells the tests where they are."""
    folder = Path(session.create_tmp()) / "node"
    if shutil.which("npm"):
        session.run("npm", "install", "--silent", "--prefix", str(folder), *packages, external=True)
    return {"TZZR_NODE_MODULES": str(folder / "node_modules")}


@nox.session
def clients(session: nox.Session) -> None:
    """Run the official Python and JS clients of RunPod, Directus and MCP; the JS ones need node and npm."""
    install(session, "test", "clients")
    environment = node_modules(session, *NODE_CLIENTS)
    fakes = ("tests/tzzr_mocks/grace/clients", "tests/tzzr_mocks/hst/clients")
    server = "tests/tzzr_mcp/server/transports/http/test_typescript.py"
    session.run("pytest", "-m", "", *fakes, server, *session.posargs, env=environment)


@nox.session
def browser(session: nox.Session) -> None:
    """Drive the pages in a headless Chromium, which the machine must have; the official MCP Apps host needs npm."""
    install(session, "test", "browser")
    if not any(map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))):
        session.error("no Chromium on this machine; on Debian: apt-get install chromium")
    session.run("pytest", "-m", "browser", *session.posargs, env=node_modules(session, *NODE_HOST))


PROPERTIES = ("tests/property", "tests/tzzr_scenarios/strategies")


@nox.session
def properties(session: nox.Session) -> None:
    """Search each property by 500 examples from a fixed seed, after what a deep search has kept in .hypothesis."""
    install(session, "test", "paint")
    search = ("pytest", "-n", "2", "--ignore=tests/property/test_planted.py", *(session.posargs or PROPERTIES))
    session.run(*search, "-m", "hypothesis", env={"HYPOTHESIS_PROFILE": "replay"})
    session.run(*search, "-m", "", env={"HYPOTHESIS_PROFILE": "ci"})


@nox.session(default=False)
def deep(session: nox.Session) -> None:
    """Search each property by 100,000 examples from a new seed: hours. What is found is kept in .hypothesis."""
    install(session, "test", "paint")
    search = ("pytest", "-n", "2", "-m", "", *(session.posargs or PROPERTIES[:1]))
    session.run(*search, env={"HYPOTHESIS_PROFILE": "deep"})


@nox.session
def coverage(session: nox.Session) -> None:
    """Run all tests, slow ones too, under branch coverage; the server must reach 95 %."""
    install(session, "test", "paint", extras="harness,gateway,redis")
    session.run("pytest", "-n", "2", "-m", "", "--cov", "--cov-report=", *session.posargs)
    held = ",".join(f"tzzr_mcp/{package}/*" for package in ("contract", "plugins", "server", "services"))
    session.run("coverage", "report", "--skip-covered", f"--include={held}", "--fail-under=95")


@nox.session
def lint(session: nox.Session) -> None:
    """Check style and format with ruff, and that every test asserts; ``nox -s lint -- --fix`` mends what ruff can."""
    session.install(*nox.project.dependency_groups(PROJECT, "lint"), *pinned(session))
    session.run("ruff", "check", *session.posargs)
    session.run("ruff", "format", *(() if "--fix" in session.posargs else ("--check",)))
    session.run("python", "-m", "tests.lint")


@nox.session
def types(session: nox.Session) -> None:
    """Check types with mypy strict, tests too."""
    install(session, "types", "test", "paint", "mutants", "fuzz", extras="harness,gateway,redis")
    session.run("mypy", *session.posargs)


@nox.session
def arch(session: nox.Session) -> None:
    """Check who may import whom."""
    install(session, "arch")
    session.run("lint-imports", "--no-cache")


@nox.session
def wheel(session: nox.Session) -> None:
    """Build the wheel and run the scenarios from it, in a folder without the sources."""
    built = Path(session.create_tmp()) / "dist"
    shutil.rmtree(built, ignore_errors=True)
    session.install("build", "hatchling")
    session.run("python", "-m", "build", "--no-isolation", "--outdir", str(built), silent=True)
    (archive,) = built.glob("*.whl")
    session.install(f"{archive}[harness,gateway]", *pinned(session))
    session.chdir(built)
    session.run("tzzr", "run", "--quiet")
    session.run("mcp-server-tzzr", "--version")


@nox.session
def bench(session: nox.Session) -> None:
    """Measure the whole chain, scenarios, start and fakes, or what is named of them, as ratios within one run."""
    install(session)
    session.run("python", "-m", "tests.bench", *session.posargs)


@nox.session
def conformance(session: nox.Session) -> None:
    """Run the official MCP conformance suite, both frozen sets; needs npm and its registry."""
    install(session, "test")
    session.run("python", "-m", "tests.conformance", "--into", session.create_tmp(), *session.posargs)


@nox.session
def fuzz(session: nox.Session) -> None:
    """Hold the fakes, the control plane and the gateway to their OpenAPI: ``nox -s fuzz -- --deep``, ``-- grace hst``."""
    install(session, "test", "fuzz")
    session.run("pytest", "-n", "2", "tests/fuzz")
    session.run("python", "-m", "tests.fuzz", *session.posargs)


@nox.session(default=False)
def mutants(session: nox.Session) -> None:
    """Break the code in thousands of small ways; tests must notice 90 %: ``nox -s mutants -- contract``."""
    install(session, "test", "paint", "mutants", extras="harness,gateway,redis")
    session.run("python", "-m", "tests.mutants", "--into", session.create_tmp(), *session.posargs)


@nox.session(default=False)
def oracle(session: nox.Session) -> None:
    """Ask 2,000 generated queries of a real Directus and of the fake: ``nox -s oracle -- http://127.0.0.1:8055``."""
    install(session, "test")
    if not session.posargs:
        session.error("where is the real Directus? CONTRIBUTING.md says how to set one up")
    session.run("python", "-m", "tests.tzzr_mocks.hst.side_by_side", *session.posargs)


@nox.session(default=False)
def release(session: nox.Session) -> None:
    """Make a release of what is there: ``nox -s release -- 0.2.0``. Writes three files; commit and tag them yourself."""
    if len(session.posargs) != 1:
        session.error("which version? tzzr surface --since says the lowest that may come next")
    install(session, "release")
    (version,) = session.posargs
    module = ROOT / "tzzr_mcp" / "__init__.py"
    session.run("tzzr", "surface", "--check")
    session.run("tzzr", "surface", "--freeze", version)
    module.write_text(re.sub(r'(?<=__version__ = ")[^"]+', version, module.read_text()))
    session.run("towncrier", "build", "--yes", "--version", version)


@nox.session(default=False)
def lock(session: nox.Session) -> None:
    """Write constraints.txt anew: newest allowed versions of everything."""
    session.install("uv")
    groups = [f"--group={name}" for name in PROJECT["dependency-groups"]]
    options = [
        "--universal",
        "--python-version=3.11",
        "--generate-hashes",
        "--upgrade",
        "--extra=harness",
        "--extra=gateway",
        "--extra=redis",
    ]
    plain = ["--no-annotate", "--no-header", "--no-emit-index-url"]
    session.run(
        "uv", "pip", "compile", "pyproject.toml", *options, *plain, *groups, "-o", "constraints.txt", silent=True
    )


if __name__ == "__main__":
    nox.main()
