"""Certificates for tests, and a front that speaks TLS for a server that does not."""

import asyncio
import contextlib
import datetime
import ssl
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID


@dataclass(frozen=True, slots=True)
class Certificate:
    """A self-signed certificate for one host's name."""

    path: Path

    def trusted(self) -> ssl.SSLContext:
        """A client's context that trusts this certificate alone."""
        return ssl.create_default_context(cafile=str(self.path))

    def served(self) -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.path)
        return context


def certificate(folder: Path, host: str) -> Certificate:
    """A certificate and its key in one file of `folder`, valid for a day."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, host)])
    now = datetime.datetime.now(datetime.UTC)
    day = datetime.timedelta(days=1)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number(), now - day, now + day)
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(host)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    encoding, form = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
    path = folder / f"{host}.pem"
    path.write_bytes(made.public_bytes(encoding) + key.private_bytes(encoding, form, serialization.NoEncryption()))
    return Certificate(path)


@contextlib.asynccontextmanager
async def tls_front(shown: Certificate, port: int) -> AsyncIterator[int]:
    """A port of the loopback that speaks TLS with this certificate, and passes everything on to `port`."""

    async def pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(65536):
                writer.write(data)
                await writer.drain()
        writer.close()

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        behind = await asyncio.open_connection("127.0.0.1", port)
        await asyncio.gather(pump(reader, behind[1]), pump(behind[0], writer))

    server = await asyncio.start_server(connected, "127.0.0.1", 0, ssl=shown.served())
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
