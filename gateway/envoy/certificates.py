"""TLS at the edge: where its certificate is, and how Envoy takes a renewed one.

A certificate that the configuration itself names is read at start and never again. One that comes as a secret by a file
(SDS) is watched: when anything is moved into the folder of the certificate, both files are read again, and connections
that begin from then on get the new one. So Kubernetes and certificate tools renew: by moving a link or a file. Files that
do not fit each other change nothing: the certificate that serves goes on serving.
"""

from posixpath import dirname

from gateway.envoy.parts import TYPE, Json, extension
from gateway.envoy.settings import EnvoySettings

NAME = "edge"


def tls(envoy: EnvoySettings) -> Json:
    """TLS from 1.2 on, with the edge's certificate."""
    common = {"tls_params": {"tls_minimum_protocol_version": "TLSv1_2"}, "alpn_protocols": ["h2", "http/1.1"]}
    if envoy.tls_sds:
        source = {"path_config_source": {"path": envoy.tls_sds}, "resource_api_version": "V3"}
        common["tls_certificate_sds_secret_configs"] = [{"name": NAME, "sds_config": source}]
    else:
        common["tls_certificates"] = [_files(envoy)]
    kind = "transport_sockets.tls.v3.DownstreamTlsContext"
    return extension("envoy.transport_sockets.tls", kind, common_tls_context=common)


def secret(envoy: EnvoySettings) -> Json:
    """What the file of LOOM_ENVOY_TLS_SDS must hold. It names files and has no key in it."""
    certificate = {**_files(envoy), "watched_directory": {"path": dirname(envoy.tls_cert) or "."}}
    kind = "envoy.extensions.transport_sockets.tls.v3.Secret"
    return {"resources": [{"@type": TYPE + kind, "name": NAME, "tls_certificate": certificate}]}


def _files(envoy: EnvoySettings) -> Json:
    return {"certificate_chain": {"filename": envoy.tls_cert}, "private_key": {"filename": envoy.tls_key}}
