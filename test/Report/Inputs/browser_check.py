# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a browser makes of pages of the HTML report:  browser_check.py CHROMIUM PAGE... [--shots DIR]

At the width of a phone and of a desk, light and dark, and on paper: nothing is said on the console, nothing is asked of the
network, the page is no wider than the screen, no words lie on each other in a picture or leave it, what can be scrolled can be
reached with the keyboard (and a table that fits everywhere is no stop of it), all text, in pictures as well, has a contrast of at
least 4.5 to what is behind it. Versions of a source stand line by line beside each other, and words that a narrow screen has no room
for are there for who listens. On paper all is light, nothing is left out, and what goes on below itself begins behind the numbers."""

import os
import sys

from browser import Browser

LOOK = r"""
(() => {
  const wrong = [];
  const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
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
  const paper = e => {
    for (let p = e; p; p = p.parentElement) {
      const c = parts(getComputedStyle(p).backgroundColor);
      if (c.length == 3 || c[3] == 1) return c.slice(0, 3);
    }
    return [255, 255, 255];
  };
  const contrast = (e, ink, ground) => {
    const a = light(parts(ink).slice(0, 3)), b = light(ground), ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) wrong.push('contrast ' + ratio.toFixed(2) + ': ' + e.tagName + '.' + (e.className.baseVal ?? e.className) + ' ' + e.textContent.trim().slice(0, 40));
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const seen = new Set();
  while (walker.nextNode()) {
    const e = walker.currentNode.parentElement;
    if (!walker.currentNode.textContent.trim() || e.closest('svg') || seen.has(e)) continue;
    seen.add(e);
    contrast(e, getComputedStyle(e).color, paper(e));
  }
  // In a picture what was drawn last below the middle of a word is what it stands on.
  for (const svg of document.querySelectorAll('svg')) {
    const boxes = [];
    for (const e of svg.querySelectorAll('rect, text')) {
      const r = e.getBoundingClientRect();
      if (e.tagName == 'rect') { boxes.push([r, getComputedStyle(e).fill]); continue; }
      const x = (r.left + r.right) / 2, y = (r.top + r.bottom) / 2;
      const below = boxes.filter(([b, f]) => b.left <= x && x <= b.right && b.top <= y && y <= b.bottom && f != 'none').pop();
      contrast(e, getComputedStyle(e).fill, below ? parts(below[1]).slice(0, 3) : paper(svg));
    }
  }
  const print = matchMedia('print').matches, desk = window.innerWidth >= 1024 && !print;
  for (const pair of document.querySelectorAll('.pair.two')) {
    const sides = [...pair.querySelectorAll('.code')];
    if (sides.length < 2) continue;
    const [a, b] = sides.map(c => [...c.querySelector('code').children].filter(e => e.offsetParent));
    const name = sides[0].getAttribute('aria-label');
    if (desk && Math.abs(sides[0].getBoundingClientRect().top - sides[1].getBoundingClientRect().top) > 1)
      wrong.push(name + ': the sides begin at different heights');
    if (desk && name.startsWith('Source')) {
      if (a.length != b.length) wrong.push(name + ': ' + a.length + ' lines beside ' + b.length);
      a.forEach((e, i) => {
        const off = b[i] ? Math.abs(e.getBoundingClientRect().top - b[i].getBoundingClientRect().top) : 0;
        if (off > 1) wrong.push(name + ': row ' + i + ' is off by ' + off.toFixed(1));
      });
    }
    if (!desk && sides[0].getBoundingClientRect().bottom > sides[1].getBoundingClientRect().top)
      wrong.push(name + ': beside each other where there is no room');
  }
  for (const e of document.querySelectorAll('.code .l')) {
    const style = getComputedStyle(e), phase = ['load', 'barrier', 'compute', 'advance'].some(c => e.classList.contains(c));
    // A border is drawn where the system chooses the colours, whatever colour it has.
    if ((style.borderLeftWidth != '0px') != phase && !e.classList.contains('fill')) wrong.push('a bar of ' + style.borderLeftWidth + ' at ' + e.className);
    for (const i of e.querySelectorAll('.w i'))
      if (getComputedStyle(i).display == 'none' || getComputedStyle(i).visibility != 'visible') wrong.push('nobody hears ' + e.querySelector('.w').textContent);
    const word = e.querySelector('.w');
    if (print && word) {
      const range = document.createRange();
      range.setStartAfter(word);
      range.setEndAfter(e.lastChild);
      for (const r of range.getClientRects())
        if (r.width > 0.5 && r.left < word.getBoundingClientRect().right - 1) wrong.push('goes on at ' + r.left.toFixed(0) + ' below itself: ' + e.textContent.slice(0, 30));
      if (e.scrollWidth > e.clientWidth + 1) wrong.push('is cut off: ' + e.textContent.slice(0, 30));
    }
  }
  if (window.innerWidth < 400)
    for (const e of document.querySelectorAll('.scroll'))
      if (e.scrollWidth <= e.clientWidth && e.tabIndex >= 0) wrong.push('a stop of the keyboard that does not scroll: ' + e.getAttribute('aria-label'));
  if (print) {
    if (light(paper(document.body)) < 0.9) wrong.push('paper is dark');
    for (const e of document.querySelectorAll('nav, main, table, pre, svg'))
      if (!e.getClientRects().length) wrong.push('not on paper: ' + e.tagName);
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
        for width, dark, media in (1280, False, "screen"), (1280, True, "screen"), (375, False, "screen"), (375, True, "screen"), (718, False, "print"), (718, True, "print"):
            browser.open(page, width, dark, media)
            name = "%s-%d%s%s" % (os.path.basename(page)[:-5], width, "-dark" if dark else "", "-print" if media == "print" else "")
            found = list(browser.evaluate(LOOK)) + list(complaints(browser))
            wrong += ["%s: %s" % (name, line) for line in found]
            if shots:
                browser.screenshot(os.path.join(shots, name + ".png"))
    browser.close()
    for line in wrong[:400]:
        print(line)
    if wrong:
        sys.exit(1)
    print("looked at %d pages" % len(pages))


if __name__ == "__main__":
    main()
