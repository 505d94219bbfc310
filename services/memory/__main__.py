"""Runs the memory plane as a process of its own."""

import sys

from runtime.serve_plane import main
from services.memory.build import build
from services.memory.embed.settings import EmbedderSettings
from services.memory.settings import MemorySettings
from services.memory.workers.settings import ExtractionSettings

if __name__ == "__main__":
    sys.exit(main("memory", build, [MemorySettings, EmbedderSettings, ExtractionSettings]))
