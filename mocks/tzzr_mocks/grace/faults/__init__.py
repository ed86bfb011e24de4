"""The faults of RunPod's queue API that people have seen, one file per kind (runpod.md §13).

Importing this package makes them known to plans. What any HTTP service can do wrong is in `tzzr_mocks.faults`.
"""

from __future__ import annotations

from tzzr_mocks.grace.faults.backend_not_ready_error import BackendNotReadyError
from tzzr_mocks.grace.faults.client_refused_1010 import ClientRefused1010
from tzzr_mocks.grace.faults.client_timeout_loses_id import ClientTimeoutLosesId
from tzzr_mocks.grace.faults.cold_start_delay import ColdStartDelay
from tzzr_mocks.grace.faults.conn_reset_keepalive import ConnResetKeepalive
from tzzr_mocks.grace.faults.crashloop_unhealthy import CrashloopUnhealthy
from tzzr_mocks.grace.faults.double_wrapped_input import DoubleWrappedInput
from tzzr_mocks.grace.faults.empty_200 import Empty200
from tzzr_mocks.grace.faults.error_dict_completed import ErrorDictCompleted
from tzzr_mocks.grace.faults.error_inside_output import ErrorInsideOutput
from tzzr_mocks.grace.faults.error_json_in_string import ErrorJsonInString
from tzzr_mocks.grace.faults.executed_twice import ExecutedTwice
from tzzr_mocks.grace.faults.execution_timeout import ExecutionTimeout
from tzzr_mocks.grace.faults.fresh_job_404 import FreshJob404
from tzzr_mocks.grace.faults.gateway_html import GatewayHtml
from tzzr_mocks.grace.faults.html_at_200 import HtmlAt200
from tzzr_mocks.grace.faults.job_expired_404 import JobExpired404
from tzzr_mocks.grace.faults.nested_output import NestedOutput
from tzzr_mocks.grace.faults.non_terminal_without_id import NonTerminalWithoutId
from tzzr_mocks.grace.faults.payload_too_large import PayloadTooLarge
from tzzr_mocks.grace.faults.platform_retry_then_fail import PlatformRetryThenFail
from tzzr_mocks.grace.faults.premature_completed import PrematureCompleted
from tzzr_mocks.grace.faults.progress_overwrites_final import ProgressOverwritesFinal
from tzzr_mocks.grace.faults.result_post_rejected import ResultPostRejected
from tzzr_mocks.grace.faults.result_too_large_no_output import ResultTooLargeNoOutput
from tzzr_mocks.grace.faults.runsync_outlasts_wait import RunsyncOutlastsWait
from tzzr_mocks.grace.faults.stream_cancelled import StreamCancelled
from tzzr_mocks.grace.faults.stream_cut_60s import StreamCut60s
from tzzr_mocks.grace.faults.stream_never_final import StreamNeverFinal
from tzzr_mocks.grace.faults.stream_read_once_empty import StreamReadOnceEmpty
from tzzr_mocks.grace.faults.stuck_in_queue import StuckInQueue
from tzzr_mocks.grace.faults.throttled_capacity import ThrottledCapacity
from tzzr_mocks.grace.faults.too_many_requests import TooManyRequests
from tzzr_mocks.grace.faults.unauthorized_json import UnauthorizedJson
from tzzr_mocks.grace.faults.unauthorized_plain import UnauthorizedPlain
from tzzr_mocks.grace.faults.unknown_endpoint_non_json import UnknownEndpointNonJson
from tzzr_mocks.grace.faults.wait_out_of_range import WaitOutOfRange
from tzzr_mocks.grace.faults.webhook_bare_body import WebhookBareBody
from tzzr_mocks.grace.faults.webhook_duplicate import WebhookDuplicate
from tzzr_mocks.grace.faults.webhook_missing_on_failure import WebhookMissingOnFailure
from tzzr_mocks.grace.faults.webhook_slow_receiver import WebhookSlowReceiver

__all__ = [
    "BackendNotReadyError",
    "ClientRefused1010",
    "ClientTimeoutLosesId",
    "ColdStartDelay",
    "ConnResetKeepalive",
    "CrashloopUnhealthy",
    "DoubleWrappedInput",
    "Empty200",
    "ErrorDictCompleted",
    "ErrorInsideOutput",
    "ErrorJsonInString",
    "ExecutedTwice",
    "ExecutionTimeout",
    "FreshJob404",
    "GatewayHtml",
    "HtmlAt200",
    "JobExpired404",
    "NestedOutput",
    "NonTerminalWithoutId",
    "PayloadTooLarge",
    "PlatformRetryThenFail",
    "PrematureCompleted",
    "ProgressOverwritesFinal",
    "ResultPostRejected",
    "ResultTooLargeNoOutput",
    "RunsyncOutlastsWait",
    "StreamCancelled",
    "StreamCut60s",
    "StreamNeverFinal",
    "StreamReadOnceEmpty",
    "StuckInQueue",
    "ThrottledCapacity",
    "TooManyRequests",
    "UnauthorizedJson",
    "UnauthorizedPlain",
    "UnknownEndpointNonJson",
    "WaitOutOfRange",
    "WebhookBareBody",
    "WebhookDuplicate",
    "WebhookMissingOnFailure",
    "WebhookSlowReceiver",
]
