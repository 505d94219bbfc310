"""Contract files that tests make up."""

import tempfile
from functools import cache
from pathlib import Path

import grpc_tools
from google.protobuf import descriptor_pb2, descriptor_pool
from google.protobuf.descriptor import FileDescriptor
from grpc_tools import protoc

from loom.options.v1 import options_pb2

PROTO = Path(__file__).resolve().parents[2] / "proto"
WELL_KNOWN = Path(grpc_tools.__file__).parent / "_proto"


@cache
def compile_proto(package: str, body: str) -> FileDescriptor:
    """A file with everything that `body` declares, the field options at hand. Packages are unique within a test run."""
    with tempfile.TemporaryDirectory() as folder:
        source, image = Path(folder, f"{package}.proto"), Path(folder, "image.binpb")
        source.write_text(f'syntax = "proto3"; import "{options_pb2.DESCRIPTOR.name}"; package {package};\n{body}')
        include = [f"-I{path}" for path in (folder, PROTO, WELL_KNOWN)]
        assert protoc.main(["protoc", *include, f"--descriptor_set_out={image}", str(source)]) == 0
        files = descriptor_pb2.FileDescriptorSet.FromString(image.read_bytes())
    pool = descriptor_pool.Default()
    pool.AddSerializedFile(files.file[0].SerializeToString())
    return pool.FindFileByName(f"{package}.proto")
