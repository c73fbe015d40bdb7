"""Redis and PostgreSQL start on the loopback address, ask for their password, and leave nothing behind."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.system


def test_both_services_answer_to_their_password_only() -> None:
    import psycopg2
    import redis
    from services import services

    with services() as found:
        words = found.environment()
        client = redis.Redis.from_url(words["VOICEBAKE_REDIS"])
        assert client.ping() is True
        with pytest.raises(redis.exceptions.AuthenticationError):
            redis.Redis(port=found.redis_port).ping()
        login = {"host": "127.0.0.1", "port": found.postgres_port, "user": "dagster", "dbname": "dagster"}
        psycopg2.connect(**login, password=found.postgres_password).close()
        with pytest.raises(psycopg2.OperationalError, match="password"):
            psycopg2.connect(**login, password="guessed")
    with pytest.raises(redis.exceptions.ConnectionError):
        client.ping()
    with pytest.raises(psycopg2.OperationalError, match="refused"):
        psycopg2.connect(**login, password=found.postgres_password)
