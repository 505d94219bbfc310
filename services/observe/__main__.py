"""Runs the observe plane as a process of its own."""

import sys

from runtime.serve_plane import main
from services.observe.build import build
from services.observe.settings import ObserveSettings

if __name__ == "__main__":
    sys.exit(main("observe", build, [ObserveSettings]))
