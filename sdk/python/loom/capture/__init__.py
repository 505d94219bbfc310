"""Capture: tool calls of coding agents become observations, live through a hook or from transcripts.

Standard library only, apart from the progress bar of the import.
"""
