"""Calls to the planes: a concurrency limit, a breaker, deadlines and retries for each."""
