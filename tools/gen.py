"""Generates everything that is derived from the contract: `make gen`.

Writes, under sdk/python/loom: message and stub modules beside their packages, and `contract.json`, the comments that
descriptors lose at run time; then the client's typed calls (tools/gen_sdk.py) and the references under docs
(tools/docs.py), and the Envoy of the chart (tools/chart.py). The output is committed; a drift check
fails when it differs.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from google.protobuf import descriptor_pb2 as pb

ROOT = Path(__file__).resolve().parent.parent
PROTO = ROOT / "proto"
OUT = ROOT / "sdk" / "python"

# Field numbers of descriptor.proto that a source location's path is made of.
MESSAGE, SERVICE = 4, 6
FIELD, METHOD = 2, 2


def protoc(*args: str) -> None:
    sources = sorted(str(path.relative_to(PROTO)) for path in PROTO.rglob("*.proto"))
    subprocess.run([sys.executable, "-m", "grpc_tools.protoc", f"-I{PROTO}", *args, *sources], check=True)


def packages(out: Path) -> None:
    """Makes every folder of generated modules a package, without touching files that are there."""
    for proto in PROTO.rglob("*.proto"):
        folder = out / proto.relative_to(PROTO).parent
        for package in (folder, folder.parent):
            init = package / "__init__.py"
            package.mkdir(parents=True, exist_ok=True)
            if not init.exists():
                init.write_text("")


def comments(files: pb.FileDescriptorSet) -> dict[str, str]:
    """Full name of each service, method, message and field -> its leading comment in one line."""
    found: dict[str, str] = {}
    for file in files.file:
        if file.package.startswith("loom."):
            for location in file.source_code_info.location:
                name = name_at(file, list(location.path))
                text = " ".join(location.leading_comments.split())
                if name and text:
                    found[name] = text
    return dict(sorted(found.items()))


def name_at(file: pb.FileDescriptorProto, path: list[int]) -> str:
    match path:
        case [kind, i] if kind == SERVICE:
            return f"{file.package}.{file.service[i].name}"
        case [kind, i, sub, j] if kind == SERVICE and sub == METHOD:
            return f"{file.package}.{file.service[i].name}.{file.service[i].method[j].name}"
        case [kind, i] if kind == MESSAGE:
            return f"{file.package}.{file.message_type[i].name}"
        case [kind, i, sub, j] if kind == MESSAGE and sub == FIELD:
            return f"{file.package}.{file.message_type[i].name}.{file.message_type[i].field[j].name}"
    return ""


def generate(out: Path) -> None:
    """Writes the contract's code and comments under `out`, which is sdk/python or, for the drift check, a copy."""
    packages(out)
    protoc(f"--python_out={out}", f"--pyi_out={out}", f"--grpc_python_out={out}")
    for empty in out.rglob("*_pb2_grpc.py"):
        if "add_" not in empty.read_text():  # a file without services
            empty.unlink()
    with tempfile.NamedTemporaryFile(suffix=".binpb") as image:
        protoc("--include_imports", "--include_source_info", f"--descriptor_set_out={image.name}")
        files = pb.FileDescriptorSet.FromString(Path(image.name).read_bytes())
    (out / "loom" / "contract.json").write_text(json.dumps(comments(files), indent=1, ensure_ascii=False) + "\n")


def main() -> None:
    generate(OUT)
    # Each in its own process, since they import the modules that were just written.
    for module in ("tools.gen_sdk", "tools.docs", "tools.chart"):
        subprocess.run([sys.executable, "-m", module], check=True, cwd=ROOT)


if __name__ == "__main__":
    main()
