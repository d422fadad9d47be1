"""Addresses of databases and of Redis: TLS, passwords of any signs, and a sentence for what cannot be read."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
import sqlalchemy as sa
from redis.exceptions import RedisError

from chouine.cli.databases import CannotOpen, check_redis, database_url
from chouine.server.engines import engine_of
from chouine.server.migrations import upgrade
from chouine.server.pubsub import redis_at
from chouine.server.push.mail import Mailer
from tests.forked import run_chouine
from tests.needs import need
from tests.server.certificates import Certificate, certificate_in
from tests.server.postgres import server
from tests.server.redis import redis_server

PASSWORD = "p@ss:w/o?r#d%41 é"
"""Every sign that means something in an address."""


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Certificate:
    return certificate_in(tmp_path_factory.mktemp("certificates"))


@pytest.fixture(scope="module")
def database_server(certificate: Certificate) -> Iterator[str]:
    """The address of a server with TLS and a password, to be asked for by `postgres:` as some hosts write it."""
    need("postgresql")
    with server(PASSWORD, certificate) as address:
        yield address.replace(
            "postgresql+asyncpg://chouine@", f"postgres://chouine:{quote(PASSWORD, safe='')}@"
        )


async def over_tls(database: str) -> bool:
    """Whether a connection to the database uses TLS."""
    engine = engine_of(database)
    try:
        async with engine.connect() as connection:
            query = sa.text("select ssl from pg_stat_ssl where pid = pg_backend_pid()")
            return bool((await connection.execute(query)).scalar())
    finally:
        await engine.dispose()


def test_a_database_over_tls(database_server: str, certificate: Certificate) -> None:
    """Also by the migrations, which have an engine of their own."""
    plain = f"{database_server}/postgres"
    verified = f"{plain}?sslmode=verify-full&sslrootcert={certificate.file}"
    for asked, secure in (
        (f"{plain}?sslmode=disable", False),
        (f"{plain}?sslmode=require", True),
        (verified, True),
    ):
        assert asyncio.run(over_tls(database_url(asked))) == secure
    upgrade(database_url(verified))


def test_a_server_that_is_not_the_one_named(database_server: str, tmp_path: Path) -> None:
    other = certificate_in(tmp_path, "other")
    address = f"{database_server}/postgres?sslmode=verify-full&sslrootcert={other.file}"
    status, said = run_chouine(["reports", "--database", address], tmp_path / "errors")
    assert status == 2
    assert "nobody whom this machine trusts has signed the certificate" in said
    assert hides_password(said)


def test_redis_over_tls(certificate: Certificate, tmp_path: Path) -> None:
    need("redis")
    other = certificate_in(tmp_path, "other")

    async def can_store(url: str) -> bool:
        check_redis(url)
        redis = redis_at(url)
        try:
            return bool(await redis.set("some", "value"))
        finally:
            await redis.aclose()

    with redis_server(certificate) as running:
        url = running.url.replace("redis:", "rediss:")
        assert asyncio.run(can_store(f"{url}?ssl_ca_certs={certificate.file}"))
        with pytest.raises(RedisError, match="certificate verify failed"):
            asyncio.run(can_store(f"{url}?ssl_ca_certs={other.file}"))


def hides_password(said: str) -> bool:
    """Whether no part of the password is told."""
    return not any(part in said for part in ("p@ss", "p%40ss", "w/o", "secret", "0?r", "r#d"))


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("postgresql://u:p@ss@host/name", "%40"),
        ("postgresql://u:p#w@host:secret/name", "%40"),
        ("postgresql://u:secret@host/name?channel_binding=require", "channel_binding"),
        ("postgresql://u:secret@host/name?ssl=true", "sslmode"),
        ("mysql://u:secret@host/name", "postgresql://user:password@host/name"),
        ("postgresql:secret", "%40"),
        ("secret", "postgresql://user:password@host/name"),
        ("sqlite:secret.db", "sqlite:///folder/file.db"),
    ],
)
def test_an_address_of_a_database_that_is_refused(address: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(CannotOpen) as refused:
        database_url(address)
    assert said in str(refused.value)
    for command in (["serve", "--no-browser"], ["prune"], ["reports"], ["backup", "never"]):
        status, printed = run_chouine([*command, "--database", address], tmp_path / "errors")
        assert status == 2
        assert said in printed
        assert hides_password(printed)


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("http://host:6379", "rediss://"),
        ("secret", "rediss://"),
        ("redis://:w/osecret@host", "%2F"),
        ("redis://:secret#d@host", "%2F"),
        ("redis://host:secret", "%2F"),
        ("redis://host?ssl_ca_certs=/x", "ssl_ca_certs"),
        ("rediss://host?sslrootcert=/x", "ssl_ca_certs"),
        ("rediss://:secret@host?ssl_ca_certs=/no/such", "/no/such"),
    ],
)
def test_an_address_of_redis_that_is_refused(address: str, said: str, tmp_path: Path) -> None:
    for command in (["serve", "--no-browser"], ["worker"]):
        status, printed = run_chouine([*command, "--redis", address], tmp_path / "errors")
        assert status == 2
        assert said in printed
        assert hides_password(printed)


def test_an_address_of_a_mail_server_that_is_refused() -> None:
    with pytest.raises(ValueError, match="smtps://user:password@host") as refused:
        Mailer.of("smtp://user:secret#d@host", "a@b.example")
    assert hides_password(str(refused.value))
