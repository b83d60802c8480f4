"""A page in headless Chromium, with a script of the test at its end."""

import html
import json
import re
import subprocess
import sys
import tempfile

PROBE = """
<script>
window.failures = [];
window.addEventListener("error", (event) => window.failures.push(String(event.message)));
</script>
"""


def with_script(page, script):
    """The text of a page that notes its failures and ends with a script."""
    text = page.read_text(encoding="utf-8")
    return text.replace("<head>", "<head>" + PROBE, 1).replace("</body>", script + "</body>", 1)


def run(browser, options, page, timeout=180):
    """What the browser prints, with these options, for the page."""
    with tempfile.TemporaryDirectory() as folder:
        command = [browser, "--headless", "--no-sandbox", "--disable-gpu",
                   "--user-data-dir=" + folder, "--virtual-time-budget=5000", *options, page.as_uri()]
        return subprocess.run(command, capture_output=True, timeout=timeout, check=True).stdout.decode("utf-8")


def seen_in(dom, page):
    """What the script has left in the element `seen`."""
    found = re.search(r'<pre id="seen">(.*?)</pre>', dom, re.S)
    if not found:
        sys.exit(f"{page}: the page's script did not finish")
    return json.loads(html.unescape(found.group(1)))
