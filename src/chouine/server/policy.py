"""What pages may load and do (Content-Security-Policy): their own files, no script or style written in a page."""

from __future__ import annotations

RULES = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self'",
    "connect-src": "'self'",
    "font-src": "'self'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
    "base-uri": "'none'",
    "manifest-src": "'self'",
}


def policy(**others: str) -> str:
    """The policy, with other rules for some: `script_src="'self' 'wasm-unsafe-eval'"`."""
    rules = RULES | {name.replace("_", "-"): value for name, value in others.items()}
    return "; ".join(f"{name} {value}" for name, value in rules.items())


POLICY = policy()
FRAMED = policy(frame_ancestors="'self'")
"""A page that was made in the browser: the page that carries Python shows it in a frame."""
CARRIES_PYTHON = policy(script_src="'self' 'wasm-unsafe-eval'", worker_src="'self'", frame_src="'self'")
"""The page and the worker that run Python without a network: WebAssembly is compiled there, and nowhere else."""
