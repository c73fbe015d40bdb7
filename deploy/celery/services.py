"""Redis and PostgreSQL on one machine: on the loopback address, each in its own folder, with a password."""

from __future__ import annotations

import os
import secrets
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

START_SECONDS = 60.0
STOP_SECONDS = 30.0
_DEBIAN_POSTGRES = "/usr/lib/postgresql"


class MissingProgram(SystemExit):
    """A program that is not installed; the message names it and what brings it."""


@dataclass(frozen=True, slots=True)
class Services:
    """Where both services answer."""

    redis_port: int
    redis_password: str
    postgres_port: int
    postgres_password: str

    def environment(self) -> dict[str, str]:
        """The variables that dagster.yaml and dagster_celery_config.py beside this file read."""
        return {
            "VOICEBAKE_REDIS": f"redis://:{self.redis_password}@127.0.0.1:{self.redis_port}/0",
            "DAGSTER_PG_HOST": "127.0.0.1",
            "DAGSTER_PG_PORT": str(self.postgres_port),
            "DAGSTER_PG_USERNAME": "dagster",
            "DAGSTER_PG_PASSWORD": self.postgres_password,
            "DAGSTER_PG_DB": "dagster",
        }


@contextmanager
def services() -> Iterator[Services]:
    """Both services for the length of the block; what they kept is removed after it."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="voicebake-services-")))
        folder.chmod(0o711)  # PostgreSQL refuses to run as root and must reach its own folder below
        found = Services(free_port(), secrets.token_hex(16), free_port(), secrets.token_hex(16))
        stack.enter_context(_redis(folder / "redis", found))
        stack.enter_context(_postgres(folder / "postgres", found))
        yield found


def free_port() -> int:
    """A port of the loopback address that nobody listened on a moment ago."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def running(
    command: list[str], log: Path, *, environment: Mapping[str, str] | None = None, cwd: Path | None = None
) -> Iterator[subprocess.Popen[bytes]]:
    """A process in a group of its own that writes to `log`; at the end of the block the whole group is stopped."""
    with log.open("ab") as out:
        process = subprocess.Popen(
            command, stdout=out, stderr=out, cwd=cwd, env=dict(environment or os.environ), start_new_session=True
        )
    try:
        yield process
    finally:
        stop(process)


def stop(process: subprocess.Popen[bytes]) -> None:
    """Asks a process to end, and ends its whole group when it does not, or leaves children behind."""
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            print(f"{process.args!r} did not stop in {STOP_SECONDS:.0f} s; it is killed.")
    try:
        os.killpg(process.pid, 9)
    except ProcessLookupError:
        return  # nobody of the group is left
    process.wait()


def wait_until(true: Callable[[], bool], what: str, seconds: float) -> None:
    """Returns once `true` says so. Raises `TimeoutError` that names `what` after `seconds`."""
    end = time.monotonic() + seconds
    while not true():
        if time.monotonic() > end:
            raise TimeoutError(f"{what}: not within {seconds:.0f} s")
        time.sleep(0.2)


@contextmanager
def _redis(folder: Path, found: Services) -> Iterator[None]:
    folder.mkdir()
    settings = folder / "redis.conf"
    settings.touch(mode=0o600)
    # Written to disk at every change: tasks that wait outlive a restart of Redis.
    settings.write_text(
        f"bind 127.0.0.1\nport {found.redis_port}\nrequirepass {found.redis_password}\ndir {folder}\n"
        'appendonly yes\nappendfsync always\nsave ""\n',
        encoding="utf-8",
    )
    with running([_program("redis-server", "redis-server"), str(settings)], folder / "log"):
        _wait_for_port(found.redis_port, "Redis", folder / "log")
        yield


@contextmanager
def _postgres(folder: Path, found: Services) -> Iterator[None]:
    folder.mkdir(mode=0o700)
    password = folder / "password"
    password.touch(mode=0o600)
    password.write_text(found.postgres_password, encoding="utf-8")
    as_user: list[str] = []
    if os.geteuid() == 0:
        as_user = [_program("runuser", "util-linux"), "-u", "postgres", "--"]
        for path in (folder, password):
            shutil.chown(path, "postgres")
    data = folder / "data"
    make = ["--username=dagster", f"--pwfile={password}", "--auth=scram-sha-256", "--encoding=UTF8", "--no-sync"]
    subprocess.run(
        [*as_user, _program("initdb", "postgresql"), f"--pgdata={data}", *make],
        check=True,
        stdout=subprocess.DEVNULL,
        cwd="/",
    )
    server = ["-D", str(data), "-h", "127.0.0.1", "-p", str(found.postgres_port), "-c", "unix_socket_directories="]
    with running([*as_user, _program("postgres", "postgresql"), *server], folder / "log", cwd=Path("/")):
        _wait_for_port(found.postgres_port, "PostgreSQL", folder / "log")
        login = {**os.environ, "PGPASSWORD": found.postgres_password}
        address = ["-h", "127.0.0.1", "-p", str(found.postgres_port), "-U", "dagster"]
        subprocess.run([_program("createdb", "postgresql"), *address, "dagster"], check=True, env=login)
        yield


def _wait_for_port(port: int, what: str, log: Path) -> None:
    def answers() -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", port)) == 0

    try:
        wait_until(answers, what, START_SECONDS)
    except TimeoutError as error:
        raise TimeoutError(f"{error}\n{log.read_text(errors='replace')[-2000:]}") from None


def _program(name: str, package: str) -> str:
    versions = sorted(Path(_DEBIAN_POSTGRES).glob("*/bin"), reverse=True)
    places = os.pathsep.join([os.environ.get("PATH", ""), *map(str, versions)])
    found = shutil.which(name, path=places)
    if found is None:
        raise MissingProgram(f"{name} is not installed (Debian package {package}). Run: deploy/debian-packages.sh")
    return found
