"""The service answers whatever its OpenAPI document allows as the document says, and refuses all else."""

import os
import random
import subprocess
import sys
import unittest
from pathlib import Path

from service import Service, png

HERE = Path(__file__).parent
# For how long; `PLACARD_API_SECONDS=600 scripts/test --python test_document` is the long run.
SECONDS = int(os.environ.get("PLACARD_API_SECONDS", "60"))
SEED = int(os.environ.get("PLACARD_API_SEED", random.randrange(1 << 32)))
# A client that sends as fast as it can is what limits of rate are for.
SETTINGS = "[controller.limits]\nrequests_per_second = 100000\nrequests_burst = 100000\n"


class TestDocument(unittest.TestCase):
    def test_every_answer_is_as_the_document_says(self):
        print(f"seed {SEED}, {SECONDS} s: PLACARD_API_SEED={SEED} does the same again", flush=True)
        with Service(settings=SETTINGS) as service:
            service.plug(800, 480)
            service.send("POST", "sessions", {"scene": {"kind": "markdown", "text": "# One"}, "display": "Virtual-1"})
            service.ask("POST", "pictures", png(4, 3, "red"), {"Content-Type": "image/png"})
            done = subprocess.run(
                [Path(sys.executable).parent / "schemathesis", "--config-file", HERE / "schemathesis.toml", "run",
                 f"{service.url}/v1/openapi.json", "--checks", "all",
                 # A display whose own message was removed has the one for all: its path is still there. A message
                 # that was acknowledged in between is over. (What is named here goes before what the file says.)
                 "--exclude-checks", "use_after_free,ensure_resource_availability", "--max-time", str(SECONDS), "--seed", str(SEED),
                 "--max-examples", "20", "--request-timeout", "30", "--no-color", "--no-shrink"],
                cwd=service.path, env={**os.environ, "PYTHONPATH": str(HERE)}, stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT, text=True, timeout=SECONDS * 3 + 300)
            self.assertEqual(service.process.poll(), None, "the service has ended")
            report = "\n".join(line[:300] for line in done.stdout.splitlines())
            self.assertEqual(done.returncode, 0, report[-20000:])
            print(done.stdout[-600:], flush=True)


if __name__ == "__main__":
    unittest.main()
