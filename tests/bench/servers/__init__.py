"""Processes that are measured, or that measured ones talk to. Each prints `port N` when it listens."""
