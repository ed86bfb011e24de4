"""The fake GRACE: RunPod's serverless queue API, and on it a worker that speaks S-CONTRACT."""

from __future__ import annotations

from tzzr_mocks.grace.app import GraceFake
from tzzr_mocks.grace.job import Chunk
from tzzr_mocks.grace.lifecycle import Status
from tzzr_mocks.grace.limits import Limits, Rate
from tzzr_mocks.grace.options import Options, Workers
from tzzr_mocks.grace.programs import Assignment, Deployment, Program, Script, echo

__all__ = [
    "Assignment",
    "Chunk",
    "Deployment",
    "GraceFake",
    "Limits",
    "Options",
    "Program",
    "Rate",
    "Script",
    "Status",
    "Workers",
    "echo",
]
