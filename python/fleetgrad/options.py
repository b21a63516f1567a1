"""How long a client waits, how much it accepts, what it trusts, and which keys it presents."""

from __future__ import annotations

import os
import ssl
from dataclasses import dataclass, field
from typing import Mapping, Optional

MOST_KEY_BYTES = 4096


@dataclass(frozen=True)
class Credentials:
    """The keys that a client presents to get tokens. Neither key ever appears in a message."""

    access_key: str = field(repr=False)
    secret_key: str = field(repr=False)

    def __post_init__(self) -> None:
        if not self.access_key or not self.secret_key:
            raise ValueError("an access key and a secret key have one character or more each")

    @staticmethod
    def of_environment(environment: Mapping[str, str] = os.environ) -> Optional["Credentials"]:
        """Reads FLEETGRAD_ACCESS_KEY and FLEETGRAD_SECRET_KEY, or the files that the same names with _FILE name."""
        access = _key(environment, "FLEETGRAD_ACCESS_KEY")
        secret = _key(environment, "FLEETGRAD_SECRET_KEY")
        if bool(access) != bool(secret):
            present, missing = ("ACCESS", "SECRET") if access else ("SECRET", "ACCESS")
            raise ValueError(
                "FLEETGRAD_%s_KEY is set and FLEETGRAD_%s_KEY is not; write the other, too" % (present, missing)
            )
        return Credentials(access, secret) if access else None


def _key(environment: Mapping[str, str], name: str) -> str:
    value, path = environment.get(name, ""), environment.get(name + "_FILE", "")
    if value and path:
        raise ValueError("%s and %s_FILE are both set; write one" % (name, name))
    if not path:
        return value
    try:
        with open(path, "rb") as file:
            content = file.read(MOST_KEY_BYTES + 1)
    except OSError as unreadable:
        raise ValueError("%s_FILE names a file that cannot be read: %s" % (name, unreadable)) from unreadable
    key = content.decode("utf-8").rstrip()
    if len(content) > MOST_KEY_BYTES or not key:
        raise ValueError("%s_FILE must name a file with the key alone, of 1 to %d bytes" % (name, MOST_KEY_BYTES))
    return key


@dataclass(frozen=True)
class ClientOptions:
    """Times are in seconds.

    connect_timeout: longest wait for a connection.
    read_timeout: longest silence of the server within an answer, beyond a long poll's own wait.
    retry_for: how long a call is retried while the server is unreachable or answers 408, 429 or 503; 0 for never.
    max_answer_bytes: largest answer that is read into memory.
    trust: PEM file of the only certificates to trust over https; if absent, FLEETGRAD_TRUST, else those of the system.
    """

    connect_timeout: float = 5.0
    read_timeout: float = 30.0
    retry_for: float = 60.0
    max_answer_bytes: int = (1 << 31) - 1
    trust: Optional[str] = None

    def __post_init__(self) -> None:
        if self.connect_timeout <= 0 or self.read_timeout <= 0 or self.retry_for < 0 or self.max_answer_bytes <= 0:
            raise ValueError(
                "connect_timeout %s, read_timeout %s and max_answer_bytes %s must be positive, and retry_for %s not negative"
                % (self.connect_timeout, self.read_timeout, self.max_answer_bytes, self.retry_for)
            )

    def tls(self) -> ssl.SSLContext:
        """Returns what is trusted over https."""
        path = self.trust or os.environ.get("FLEETGRAD_TRUST", "")
        if not path:
            return ssl.create_default_context()
        try:
            return ssl.create_default_context(cafile=path)
        except (OSError, ssl.SSLError) as unreadable:
            raise ValueError("%s is not a PEM file of certificates to trust: %s" % (path, unreadable)) from unreadable
