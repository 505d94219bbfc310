"""Runs the memory plane as a process of its own."""

import sys

from runtime.embedding.settings import EmbedderSettings
from runtime.serve_plane import main
from services.memory.build import build
from services.memory.settings import MemorySettings
from services.memory.workers.settings import ExtractionSettings

if __name__ == "__main__":
    sys.exit(main("memory", build, [MemorySettings, EmbedderSettings, ExtractionSettings]))
