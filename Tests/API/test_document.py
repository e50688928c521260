"""The service accepts every request that its OpenAPI document allows and rejects all others; responses match it."""

import os
import random
import subprocess
import sys
import unittest
from pathlib import Path

from service import Service, png

HERE = Path(__file__).parent
# The duration of the run. For a long run: `PLACARD_API_SECONDS=600 scripts/test --python test_document`.
SECONDS = int(os.environ.get("PLACARD_API_SECONDS", "30"))
SEED = int(os.environ.get("PLACARD_API_SEED", random.randrange(1 << 32)))
# The test sends requests as fast as it can, above the default rate limits.
SETTINGS = "[controller.limits]\nrequests_per_second = 100000\nrequests_burst = 100000\n"


class TestDocument(unittest.TestCase):
    def test_every_response_matches_the_document(self):
        print(f"seed {SEED}, {SECONDS} s: PLACARD_API_SEED={SEED} repeats this run", flush=True)
        with Service(settings=SETTINGS) as service:
            service.plug(800, 480)
            service.send("POST", "sessions", {"scene": {"kind": "markdown", "text": "# One"}, "display": "Virtual-1"})
            service.ask("POST", "images", png(4, 3, "red"), {"Content-Type": "image/png"})
            done = subprocess.run(
                [Path(sys.executable).parent / "schemathesis", "--config-file", HERE / "schemathesis.toml", "run",
                 f"{service.url}/v1/openapi.json", "--checks", "all",
                 # A display whose own message was removed shows the message for all displays, so its path still
                 # exists. A message that was acknowledged meanwhile has ended. These options override the file.
                 "--exclude-checks", "use_after_free,ensure_resource_availability", "--max-time", str(SECONDS), "--seed", str(SEED),
                 "--max-examples", "20", "--request-timeout", "30", "--no-color", "--no-shrink"],
                cwd=service.path, env={**os.environ, "PYTHONPATH": str(HERE)}, stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT, text=True, timeout=SECONDS * 3 + 300)
            self.assertEqual(service.process.poll(), None, "the service exited")
            report = "\n".join(line[:300] for line in done.stdout.splitlines())
            self.assertEqual(done.returncode, 0, report[-20000:])
            print(done.stdout[-600:], flush=True)


if __name__ == "__main__":
    unittest.main()
