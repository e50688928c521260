"""A schemathesis hook against requests that no real client sends."""

import uuid

import schemathesis


@schemathesis.hook
def before_call(context, case, kwargs):
    """Makes valid values of Idempotency-Key unique: clients do not reuse a key for different requests."""
    key = (case.headers or {}).get("Idempotency-Key")
    if key and isinstance(key, str) and len(key) <= 255 and all("!" <= one <= "~" for one in key):
        case.headers["Idempotency-Key"] = str(uuid.uuid4())
