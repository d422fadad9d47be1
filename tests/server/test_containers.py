"""Containers and units have as little as they need. No container engine runs here: the compose file itself is read."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from redis import Redis
from redis.exceptions import AuthenticationError, RedisError

from tests.needs import need
from tests.patience import PATIENCE, wait_until
from tests.ports import free_port

ROOT = Path(__file__).parents[2]
UNITS = ROOT / "deploy" / "systemd"
COMPOSE = (ROOT / "deploy" / "compose.yaml").read_text()
FILE: dict[str, Any] = yaml.safe_load(COMPOSE)
SERVICES: dict[str, dict[str, Any]] = FILE["services"]
CAPABILITIES = {
    "database": {"CHOWN", "DAC_READ_SEARCH", "FOWNER", "SETGID", "SETUID"},
    "caddy": {"NET_BIND_SERVICE"},
}
"""What a container may do besides: PostgreSQL takes over its folder, Caddy listens on ports below 1024."""


@pytest.mark.parametrize("name", SERVICES)
def test_a_container_has_little(name: str) -> None:
    service = SERVICES[name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert {*service.get("cap_add", ())} == CAPABILITIES.get(name, set())
    assert "no-new-privileges:true" in service["security_opt"]
    assert service["mem_limit"]
    assert service["pids_limit"]
    assert not service.get("privileged")
    assert "docker.sock" not in str(service.get("volumes"))


def test_each_reaches_only_what_it_needs() -> None:
    networks = {name: {*service["networks"]} for name, service in SERVICES.items()}
    assert networks == {
        "database": {"storage"},
        "redis": {"hints"},
        "node1": {"front", "storage", "hints"},
        "node2": {"front", "storage", "hints"},
        "worker": {"hints"},
        "caddy": {"front"},
    }
    assert all(FILE["networks"][name] == {"internal": True} for name in ("storage", "hints"))
    assert [name for name, service in SERVICES.items() if "ports" in service] == ["caddy"]
    assert {*SERVICES["worker"]["environment"]} == {"CHOUINE_REDIS_URL", "XDG_CACHE_HOME"}


def test_passwords_are_asked_for() -> None:
    """None has a default."""
    assert {*re.findall(r"\$\{(\w+PASSWORD):\?\}", COMPOSE)} == {"POSTGRES_PASSWORD", "REDIS_PASSWORD"}
    assert not re.findall(r"PASSWORD:?-", COMPOSE)
    addresses = [SERVICES[name]["environment"]["CHOUINE_REDIS_URL"] for name in ("node1", "node2", "worker")]
    assert all("${REDIS_PASSWORD}@" in address for address in addresses)


def test_every_program_has_a_health_check() -> None:
    """That of a node is in its image."""
    assert "HEALTHCHECK" in (ROOT / "deploy" / "Containerfile").read_text()
    checked = {
        name
        for name, service in SERVICES.items()
        if "healthcheck" in service or service["image"] == "chouine"
    }
    assert checked == {*SERVICES} - {"caddy"}
    assert SERVICES["worker"]["healthcheck"]["test"] == ["CMD", "chouine", "worker", "--check"]


def test_no_image_is_the_latest() -> None:
    """A digest cannot be known here, without a registry; the file says how to fix it."""
    images = {service["image"] for service in SERVICES.values()} - {"chouine"}
    assert all(re.fullmatch(r"\w+:\d+(@sha256:[0-9a-f]{64})?", image) for image in images)
    assert "--resolve-image-digests" in COMPOSE


@pytest.mark.serving
def test_redis_takes_its_password() -> None:
    """The command of the container, run here."""
    need("redis")
    port, (shell, option, script) = free_port(), SERVICES["redis"]["command"]
    script = script.replace("$$", "$").replace("redis-server -", f"redis-server - --port {port}", 1)
    running = subprocess.Popen(
        [shell, option, script], env=os.environ | {"REDIS_PASSWORD": "5f2a"}, stdout=subprocess.DEVNULL
    )
    try:
        with Redis(port=port, password="5f2a") as right, Redis(port=port) as wrong:
            wait_until("Redis answers", lambda: is_there(right))
            with pytest.raises(AuthenticationError):
                wrong.ping()
            assert right.config_get("maxmemory-policy") == {"maxmemory-policy": "volatile-ttl"}
            assert right.config_get("save") == {"save": ""}
            right.shutdown(nosave=True)
    finally:
        running.terminate()
        running.wait(PATIENCE)


def is_there(redis: Redis) -> bool:
    try:
        return bool(redis.ping())
    except RedisError:
        return False


@pytest.mark.parametrize("unit", sorted(UNITS.glob("*.service")), ids=lambda path: path.name)
def test_a_unit_has_limits(unit: Path) -> None:
    text = unit.read_text()
    assert re.search(r"^MemoryMax=\d+%$", text, re.MULTILINE)
    assert re.search(r"^TasksMax=\d+$", text, re.MULTILINE)


@pytest.mark.parametrize("what", ["backup", "prune", "doctor"])
def test_what_runs_every_night_has_a_timer(what: str) -> None:
    timer = (UNITS / f"chouine-{what}.timer").read_text()
    assert re.search(r"^OnCalendar=0\d:00$", timer, re.MULTILINE)
    assert "Persistent=yes" in timer
    assert f"chouine {what}" in (UNITS / f"chouine-{what}.service").read_text()


def test_a_release_lists_what_it_is_made_of() -> None:
    """By CycloneDX's own program, from the locks, and signed with where it comes from."""
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "release.yml").read_text())
    (job,) = workflow["jobs"].values()
    used = " ".join(step.get("run", step.get("uses", "")) for step in job["steps"])
    assert "make sbom" in used
    assert "attest-build-provenance" in used
    recipe = (ROOT / "Makefile").read_text().split("\nsbom:")[1].split("\n\n")[0]
    assert re.search(r"cyclonedx-bom==\d", recipe)
    assert "requirements/play.txt" in recipe
