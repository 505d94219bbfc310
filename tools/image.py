"""Moves the contract image on purpose: `python -m tools.image`. See docs/adr/0002-contract-image.md.

The image is what callers were promised; the breaking-change check compares the contract with it. Additions go in as
they are; a change that breaks callers is refused unless `--accept-breaking` says that it is meant.
"""

import argparse
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

from google.protobuf import descriptor_pb2 as pb

from tools.promises import broken_promises

ROOT = Path(__file__).resolve().parent.parent
IMAGE = Path("proto") / "image.binpb"


def buf(*args: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Runs the buf of this environment in `cwd`, the folder with buf.yaml."""
    binary = Path(sysconfig.get_path("scripts")) / "buf"
    return subprocess.run([binary, *args], cwd=cwd, capture_output=True, text=True, check=False)


def breaking(root: Path = ROOT) -> list[str]:
    """What the contract under `root` breaks of the image there, one line each."""
    result = buf("breaking", "--against", str(IMAGE), cwd=root)
    lines = (result.stdout + result.stderr).splitlines() if result.returncode else []
    with tempfile.TemporaryDirectory() as folder:
        now = Path(folder) / "now.binpb"
        build(now, root)
        return lines + broken_promises(read(root / IMAGE), read(now))


def build(path: Path, root: Path = ROOT) -> None:
    """Writes the image of the contract as it is now under `root`, without comments: rewording one is no change."""
    result = buf("build", "--exclude-source-info", "-o", str(path), cwd=root)
    if result.returncode != 0:
        raise RuntimeError(result.stderr.strip())


def read(path: Path) -> pb.FileDescriptorSet:
    return pb.FileDescriptorSet.FromString(path.read_bytes())


def main(arguments: list[str] | None = None, root: Path = ROOT) -> int:
    parser = argparse.ArgumentParser(description="Writes proto/image.binpb from the contract.")
    parser.add_argument("--accept-breaking", action="store_true", help="write it although callers break")
    accepted = parser.parse_args(arguments).accept_breaking
    broken = breaking(root) if (root / IMAGE).exists() else []
    for line in broken:
        print(line, file=sys.stderr)
    if broken and not accepted:
        print("The image stays as it is. --accept-breaking writes it all the same.", file=sys.stderr)
        return 1
    build(root / IMAGE, root)
    return 0


if __name__ == "__main__":
    sys.exit(main())
