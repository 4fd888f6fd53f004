"""links.py FOLDER PAGE...: every relative link of the pages leads to something in FOLDER."""

import os
import re
import sys

dead = []
for page in sys.argv[2:]:
    path = os.path.join(sys.argv[1], page)
    with open(path, encoding="utf-8") as file:
        # Not in code: `[&](int stage)` is none.
        text = re.sub(r"^```.*?^```|^    .*?$|`[^`\n]*`", "", file.read(), flags=re.M | re.S)
    links = [link for link in re.findall(r"\]\(([^)#\s]+)[^)]*\)", text) if "://" not in link]
    dead += ["%s: %s" % (page, link) for link in links if not os.path.exists(os.path.join(os.path.dirname(path), link))]
    if not links:
        dead.append(page + ": no link at all?")
sys.exit("\n".join(dead) or 0)
