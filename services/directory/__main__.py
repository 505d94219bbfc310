"""Runs the directory plane as a process of its own."""

import sys

from runtime.serve_plane import main
from services.directory.build import build_with_keys

if __name__ == "__main__":
    sys.exit(main("directory", build_with_keys, []))
