"""Runs the tracker plane as a process of its own."""

import sys

from runtime.serve_plane import main
from services.tracker.build import NAME, SETTINGS, build

if __name__ == "__main__":
    sys.exit(main(NAME, build, SETTINGS))
