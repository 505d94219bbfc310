"""The edge: Envoy's whole configuration, rendered from Loom's settings and contract."""
