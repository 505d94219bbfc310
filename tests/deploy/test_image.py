"""The image, as far as it can be known without building it: the linter's word, what it is made of, and what runs in it."""

import re
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from runtime.alive import serves
from tests.support.processes import Program
from tests.support.server import BIN, Server, clean_environ, read_line

ROOT = Path(__file__).resolve().parents[2]
DOCKERFILE = ROOT / "deploy" / "docker" / "Dockerfile"
LIMIT_S = 120.0
PACKAGES = ("runtime", "gateway", "services", "standalone")


def instructions() -> list[tuple[str, str, str]]:
    """Stage, instruction and its arguments, with continued lines put together."""
    text = re.sub(r"\\\n", " ", DOCKERFILE.read_text())
    found, stage = [], ""
    for line in text.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        word, _, rest = line.partition(" ")
        if word == "FROM":
            stage = rest.rpartition(" AS ")[2]
        found.append((stage, word, rest.strip()))
    return found


def test_the_linter_finds_nothing() -> None:
    done = subprocess.run([BIN / "hadolint", DOCKERFILE], capture_output=True, text=True, timeout=LIMIT_S)
    assert (done.returncode, done.stdout) == (0, "")


def test_what_is_copied_is_there_and_passes_the_ignore_file() -> None:
    allowed = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    copied = {
        part
        for _, word, rest in instructions()
        if word == "COPY" and "--from" not in rest
        for part in rest.split()[:-1]
    }
    assert copied == allowed
    assert all((ROOT / part).exists() for part in copied)
    assert copied >= set(PACKAGES)
    ignored = (ROOT / ".dockerignore").read_text().splitlines()
    assert "*" in ignored
    assert {"**/*.pem", "**/*.key", "**/.loom"} <= set(ignored)


def test_both_variants_run_as_nobody_on_a_pinned_base() -> None:
    found = instructions()
    [base] = [rest for _, word, rest in found if word == "ARG"]
    assert re.fullmatch(r"PYTHON=python:\d+\.\d+\.\d+-slim-\w+", base)
    froms = {stage: rest.partition(" AS ")[0] for stage, word, rest in found if word == "FROM"}
    assert {froms["build"], froms["base"]} == {"${PYTHON}"}
    for variant in ("loom", "loom-chdb"):
        assert froms[variant] == "base"
        assert not [word for stage, word, _ in found if stage == variant and word in ("USER", "RUN")]
    [user] = [rest for stage, word, rest in found if stage == "base" and word == "USER"]
    assert user == "65532:65532"
    assert [rest for stage, word, rest in found if stage == "base" and word == "HEALTHCHECK"]
    assert found[-1][0] == "loom-chdb"  # what a build without a target makes
    assert not [rest for _, word, rest in found if word == "ADD" or "curl" in rest or "apt-get" in rest]


def test_the_chart_runs_as_the_user_of_the_image() -> None:
    values = (ROOT / "deploy" / "helm" / "loom" / "values.yaml").read_text()
    assert "runAsUser: 65532" in values


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """What `pip install ./sdk/python .` puts into the image, without the packages of others."""
    wheels, target = tmp_path_factory.mktemp("wheels"), tmp_path_factory.mktemp("site")
    sources = tmp_path_factory.mktemp("sources")
    # A copy of what the builder is sent, since building leaves folders behind.
    sent = subprocess.run(
        ["git", "ls-files", "constraints.txt", "pyproject.toml", "sdk/python", *PACKAGES],
        cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout.split()  # fmt: skip
    for name in sent:
        if (ROOT / name).is_file():
            (sources / name).parent.mkdir(parents=True, exist_ok=True)
            (sources / name).write_bytes((ROOT / name).read_bytes())
    for source in (sources / "sdk" / "python", sources):
        command = [
            sys.executable,
            "-m",
            "pip",
            "wheel",
            "-q",
            "--no-deps",
            "--no-build-isolation",
            "-w",
            wheels,
            source,
        ]
        subprocess.run(command, check=True, timeout=LIMIT_S, env=clean_environ())
    for wheel in wheels.glob("*.whl"):
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(target)
    yield target


def run(installed: Path, *command: str, **env: str) -> subprocess.CompletedProcess[str]:
    environ = clean_environ() | {"PYTHONPATH": str(installed)} | env
    return subprocess.run(command, cwd=installed, capture_output=True, text=True, timeout=LIMIT_S, env=environ)


def test_everything_that_is_no_program_is_in_the_image_too(installed: Path) -> None:
    tracked = subprocess.run(["git", "ls-files", *PACKAGES], cwd=ROOT, capture_output=True, text=True, check=True)
    data = [name for name in tracked.stdout.split() if not name.endswith((".py", ".pyi"))]
    assert [name for name in data if name.endswith(".sql")]
    assert [name for name in data if not (installed / name).is_file()] == []
    assert (installed / "loom" / "contract.json").is_file()
    assert not (installed / "tests").exists()


def test_the_image_serves_by_its_own_command_and_says_that_it_is_alive(installed: Path, tmp_path: Path) -> None:
    shown = run(installed, sys.executable, "-c", "import services.memory; print(services.memory.__file__)")
    assert shown.stdout.startswith(str(installed)), shown.stderr
    program = [sys.executable, "-c", "import sys; from loom.cli import main; sys.exit(main())"]
    environ = clean_environ() | {"PYTHONPATH": str(installed), "LOOM_DATA_DIR": str(tmp_path / "data")}
    with (tmp_path / "log").open("wb") as log:
        served = subprocess.Popen(
            [*program, "serve", "--port", "0", "--host", "127.0.0.1"],
            stdout=subprocess.PIPE, stderr=log, cwd=installed, env=environ,
        )  # fmt: skip
    try:
        line = read_line(served, b"Loom serves on", LIMIT_S).decode()
        port = re.search(r":(\d+) ", line)
        assert port
        for number, code in ((port[1], 0), ("1", 1)):
            done = run(installed, sys.executable, "-m", "runtime.alive", LOOM_PORT=number, LOOM_HOST="0.0.0.0")
            assert done.returncode == code, done.stderr
    finally:
        served.terminate()
        served.wait(LIMIT_S)
        served.stdout.close()


def test_a_plane_says_that_it_is_alive(tmp_path: Path) -> None:
    env = {"LOOM_GRPC_LISTEN": "127.0.0.1:0", "LOOM_DATA_DIR": str(tmp_path / "data")}
    plane = Program("services.directory", "directory", tmp_path / "log", env)
    plane.start()
    try:
        assert serves({"LOOM_GRPC_LISTEN": plane.address})
        assert serves({"LOOM_GRPC_LISTEN": f"0.0.0.0:{plane.address.rpartition(':')[2]}"})
    finally:
        plane.stop()
    assert not serves({"LOOM_GRPC_LISTEN": plane.address})


def test_a_server_that_names_its_hosts_is_asked_by_one_of_them(tmp_path: Path) -> None:
    with Server(tmp_path / "data", tmp_path / "log", {"LOOM_ALLOWED_HOSTS": "loom.example"}) as server:
        port = server.base_url.rpartition(":")[2]
        assert serves({"LOOM_PORT": port, "LOOM_ALLOWED_HOSTS": "loom.example"})
        assert not serves({"LOOM_PORT": port})


def test_without_the_embedded_engine_planes_say_so(tmp_path: Path) -> None:
    hide = "u.find_spec = lambda name, *more: None if name == 'chdb' else find(name, *more)"
    start = "from loom.cli import main; sys.exit(main(['migrate']))"
    program = f"import sys, importlib.util as u; find = u.find_spec; {hide}; {start}"
    environ = clean_environ() | {"LOOM_DATA_DIR": str(tmp_path / "data")}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=LIMIT_S, env=environ)
    assert (done.returncode, "take the image with chDB" in done.stderr) == (1, True), done.stderr
    assert not (tmp_path / "data").exists()


def test_no_process_but_the_embedded_engines_needs_it() -> None:
    program = (
        "import sys; sys.modules['chdb'] = None; import services.observe.build, services.memory.build, gateway.build"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=LIMIT_S)
    assert done.returncode == 0, done.stderr
    slim = [rest for stage, word, rest in instructions() if stage == "build-slim" and word == "RUN"]
    assert slim == ["/opt/loom/bin/pip uninstall -y chdb chdb-core pandas pyarrow"]
