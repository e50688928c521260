"""What schemathesis would do that no client does."""

import uuid

import schemathesis


@schemathesis.hook
def before_call(context, case, kwargs):
    """Different requests do not share an Idempotency-Key: keys that may be sent are made unlike each other."""
    key = (case.headers or {}).get("Idempotency-Key")
    if key and isinstance(key, str) and len(key) <= 255 and all("!" <= one <= "~" for one in key):
        case.headers["Idempotency-Key"] = str(uuid.uuid4())
