"""Each test's servers have ports of their own."""

from __future__ import annotations

from tests.ports import PROCESSES, free_port, own_ports


def test_no_port_is_another_process_s_too() -> None:
    ports = [port for nth in range(PROCESSES) for port in own_ports(f"gw{nth}")]
    assert len({*ports}) == len(ports)


def test_no_port_is_given_twice() -> None:
    """A test's server may not listen yet when the next one asks, or may just be restarting."""
    ports = [free_port() for _ in range(100)]
    assert len({*ports}) == len(ports)
