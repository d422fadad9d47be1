"""A push service of the test."""

from tests.server.push.conftest import service

__all__ = ["service"]
