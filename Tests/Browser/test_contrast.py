"""The contrast of colors, compared with axe-core's."""

import os
import random
import re

from stories import Story

SEED = int(os.environ.get("PLACARD_SEED", random.SystemRandom().randrange(1 << 32)))

# Returns the contrast ratios of pairs of colors by axe-core.
RATIOS = """
  const color = (hex) => { const c = new axe.commons.color.Color(); c.parseHexString(hex); return c; };
  return arguments[0].map(([a, b]) => axe.commons.color.getContrast(color(a), color(b)));
"""


class Contrast(Story):
    def prepare(self):
        self.service.plug(320, 240, "Virtual-2")

    def pairs(self):
        """Returns pairs of random colors, most of them close to the limit of 4.5:1 and some equal."""
        source = random.Random(SEED)
        print(f"seed {SEED}: PLACARD_SEED={SEED} repeats this run", flush=True)
        color = lambda: f"#{source.randrange(1 << 24):06x}"
        pairs = [(color(), color()) for _ in range(8000)]
        close = [pair for pair, ratio in zip(pairs, self.ratios(pairs)) if 4.2 < ratio < 4.8][:150]
        self.assertEqual(len(close), 150)
        return close + pairs[:100]

    def ratios(self, pairs):
        self.browser.axe()
        return self.browser.script(RATIOS, pairs)

    def test_ratios(self):
        """A contrast below 4.5:1 by axe-core, and no other, is a warning with its ratio"""
        pairs = self.pairs()
        warned = 0
        for (front, back), ratio in zip(pairs, self.ratios(pairs)):
            with self.subTest(front=front, back=back, ratio=ratio):
                report = self.service.send("PUT", "displays/Virtual-2/message", {"scene": {
                    "kind": "banner", "text": "Text", "style": {"foreground": front, "background": back}}})
                found = re.search(r" has a contrast of (\d+\.\d):1 ", " ".join(report["warnings"]))
                if ratio < 4.5:
                    self.assertEqual(found and found.group(1), f"{int(ratio * 10) / 10:.1f}")
                    warned += 1
                else:
                    self.assertIsNone(found)
        self.assertGreater(warned, 80)
        self.assertLess(warned, len(pairs) - 50)
