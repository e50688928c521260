"""The documents' links lead somewhere, and their command lines name what exists."""

import subprocess
import sys
import unittest

from service import PRODUCTS, REPOSITORY


class Documents(unittest.TestCase):
    def test_links_and_commands(self):
        """Each link, program, subcommand and option in the documents exists"""
        check = subprocess.run(
            [sys.executable, REPOSITORY / "scripts/docs.d/check.py", PRODUCTS], capture_output=True, text=True,
            timeout=600, check=False)
        self.assertEqual(check.returncode, 0, check.stderr)
        links, commands = (int(count.split()[0]) for count in check.stdout.splitlines()[-1].split(", ")[:2])
        self.assertGreater(links, 50)
        self.assertGreater(commands, 100)


if __name__ == "__main__":
    unittest.main()
