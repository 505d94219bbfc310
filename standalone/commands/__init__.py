"""Commands of the loom program for whoever runs an installation: keys, tokens, organisations. No door leads to them.

No secret is taken from the command line or printed but the one that was asked for: `ps` shows arguments to everyone.
"""
