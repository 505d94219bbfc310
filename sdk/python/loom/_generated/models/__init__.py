"""Generated from the contract by tools/gen_sdk.py; do not edit."""

from __future__ import annotations

from loom._generated.models import common, directory, memory, observe, ops

__all__ = ["common", "directory", "memory", "observe", "ops"]
