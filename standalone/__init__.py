"""Loom on one machine: the gateway and every plane in one process. It is the only package that knows them all."""
