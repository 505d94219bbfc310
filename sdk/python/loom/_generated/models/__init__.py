"""Generated from the contract by tools/gen_sdk.py; do not edit."""

from __future__ import annotations

from loom._generated.models import code, common, directory, memory, observe, ops, search, tracker

__all__ = ["code", "common", "directory", "memory", "observe", "ops", "search", "tracker"]
