"""Runs the directory plane as a process of its own."""

import sys

from runtime.serve_plane import main
from services.directory.build import build

if __name__ == "__main__":
    sys.exit(main("directory", build, []))
