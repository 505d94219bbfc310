"""Generated from the contract by tools/gen_sdk.py; do not edit."""

from __future__ import annotations
