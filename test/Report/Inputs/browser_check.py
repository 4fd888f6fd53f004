# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a browser makes of pages of the HTML report:  browser_check.py CHROMIUM PAGE... [--shots DIR]

At the width of a phone and of a desk, light and dark, and on paper: nothing is said on the console, nothing is asked of the
network, the page is no wider than the screen, no words lie on each other in a picture or leave it, what can be scrolled can be
reached with the keyboard, and all text has a contrast of at least 4.5 to what is behind it."""

import os
import sys

from browser import Browser

LOOK = r"""
(() => {
  const wrong = [];
  const wide = document.documentElement.scrollWidth - window.innerWidth;
  if (wide > 0) wrong.push('wider than the screen by ' + wide);
  const clipped = e => { for (let p = e.parentElement; p; p = p.parentElement) if (getComputedStyle(p).overflowX != 'visible' && p !== document.body && p !== document.documentElement) return true; return false; };
  for (const e of document.querySelectorAll('body *')) {
    const r = e.getBoundingClientRect();
    if (r.width && (r.right > window.innerWidth + 1 || r.left < -1) && !clipped(e) && !e.closest('svg') && !e.classList.contains('skip'))
      wrong.push('off the screen: ' + e.tagName + ' ' + (e.textContent || '').trim().slice(0, 40));
  }
  for (const e of document.querySelectorAll('div'))
    if (e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflowX != 'visible' && e.tabIndex < 0)
      wrong.push('scrolls, and the keyboard cannot: ' + e.className);
  for (const svg of document.querySelectorAll('svg')) {
    const name = svg.querySelector('title').textContent, box = svg.getBoundingClientRect();
    const words = [...svg.querySelectorAll('text')].map(t => [t, t.getBoundingClientRect()]);
    words.forEach(([t, a], i) => {
      if (a.left < box.left - 1 || a.right > box.right + 1 || a.top < box.top - 1 || a.bottom > box.bottom + 1)
        wrong.push(name + ': leaves the picture: ' + t.textContent);
      for (const [u, b] of words.slice(i + 1))
        if (a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 3 && b.top < a.bottom - 3)
          wrong.push(name + ': "' + t.textContent + '" lies on "' + u.textContent + '"');
      if (a.height < 9) wrong.push(name + ': too small to read: ' + t.textContent);
    });
  }
  const parts = c => (c.match(/[\d.]+/g) || []).map(Number);
  const light = c => { const [r, g, b] = c.map(v => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const seen = new Set();
  while (walker.nextNode()) {
    const e = walker.currentNode.parentElement;
    if (!walker.currentNode.textContent.trim() || e.closest('svg') || seen.has(e)) continue;
    seen.add(e);
    let ground = [255, 255, 255];
    for (let p = e; p; p = p.parentElement) {
      const c = parts(getComputedStyle(p).backgroundColor);
      if (c.length == 3 || c[3] == 1) { ground = c.slice(0, 3); break; }
    }
    const a = light(parts(getComputedStyle(e).color).slice(0, 3)), b = light(ground);
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) wrong.push('contrast ' + ratio.toFixed(2) + ': ' + e.tagName + '.' + e.className + ' ' + e.textContent.trim().slice(0, 40));
  }
  for (const e of document.querySelectorAll('a[href^="#"]'))
    if (!document.getElementById(e.getAttribute('href').slice(1))) wrong.push('leads nowhere: ' + e.getAttribute('href'));
  return wrong;
})()
"""


def complaints(browser):
    for event in browser.events:
        method, said = event.get("method"), event.get("params", {})
        if method == "Log.entryAdded":
            yield "console: " + said["entry"]["text"]
        elif method in ("Runtime.consoleAPICalled", "Runtime.exceptionThrown"):
            yield "console: %s" % said
        elif method == "Network.requestWillBeSent":
            url = said["request"]["url"]
            if not url.startswith(("file:", "data:")):
                yield "asks for " + url


def main():
    pages, shots = sys.argv[2:], None
    if "--shots" in pages:
        shots = pages[pages.index("--shots") + 1]
        del pages[pages.index("--shots"):]
    browser = Browser(sys.argv[1])
    wrong = []
    for page in pages:
        for width, dark, media in (1280, False, "screen"), (1280, True, "screen"), (375, False, "screen"), (375, True, "screen"), (800, False, "print"):
            browser.open(page, width, dark, media)
            name = "%s-%d%s%s" % (os.path.basename(page)[:-5], width, "-dark" if dark else "", "-print" if media == "print" else "")
            found = list(browser.evaluate(LOOK)) + list(complaints(browser))
            wrong += ["%s: %s" % (name, line) for line in found]
            if shots:
                browser.screenshot(os.path.join(shots, name + ".png"))
    browser.close()
    for line in wrong[:40]:
        print(line)
    if wrong:
        sys.exit(1)
    print("looked at %d pages" % len(pages))


if __name__ == "__main__":
    main()
