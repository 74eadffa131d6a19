"""What a report costs: seconds of the processors it adds to `fiedler rank`, bytes of the file, milliseconds to the first paint.

    python bench/report.py [FIEDLER]        FIEDLER: the command, built with `cargo build --release`
"""

import json
import pathlib
import resource
import subprocess
import sys
import tempfile

CASES = [
    ("150 x 4", ["rank", "demo:iris"]),
    ("1,797 x 64", ["rank", "demo:digits"]),
    ("2,000 x 10,000", ["rank", "demo:planted?samples=2000&noise=9988"]),
    ("2,000 x 10,000, mrsf", ["rank", "demo:planted?samples=2000&noise=9988", "--method", "mrsf"]),
    ("2,000 x 10,000, fisher", ["rank", "demo:planted?samples=2000&noise=9988", "--label", "class", "--method", "fisher"]),
    ("2,000 x 10,000, variance", ["rank", "demo:planted?samples=2000&noise=9988", "--method", "variance"]),
    ("50 x 1,000,000", ["rank", "demo:planted?samples=50&noise=999988"]),
]
REPEATS = 7


def seconds(command):
    """The best of some runs, seconds of all processors: what others do on the machine hardly counts."""
    best = float("inf")
    for _ in range(REPEATS):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        best = min(best, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return best


def first_paint(page):
    """Milliseconds to the first paint, by the page itself: a copy of it says so in its title. None without Chromium."""
    probe = "<script>setTimeout(()=>{document.title=JSON.stringify(performance.getEntriesByType('paint').map(p=>p.startTime))},500)</script>"
    text = page.read_text(encoding="utf-8")
    policy_from, policy_to = text.index("<meta http-equiv"), text.index(">", text.index("<meta http-equiv")) + 1
    copy = page.with_name("probe.html")
    copy.write_text(text[:policy_from] + text[policy_to:].replace("</body>", probe + "</body>"), encoding="utf-8")
    chromium = ["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=4000", "--dump-dom"]
    try:
        dom = subprocess.run([*chromium, f"file://{copy}"], capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return None
    title = dom[dom.index("<title>") + 7 : dom.index("</title>")]
    paints = json.loads(title) if title.startswith("[") else []
    return paints[0] if paints else None


def main():
    fiedler = sys.argv[1] if len(sys.argv) > 1 else "target/release/fiedler"
    print(f"{'data':24} {'alone s':>9} {'report s':>9} {'added':>9} {'file':>9} {'paint':>9}")
    with tempfile.TemporaryDirectory() as folder:
        page = pathlib.Path(folder) / "report.html"
        for name, arguments in CASES:
            alone = seconds([fiedler, *arguments])
            told = seconds([fiedler, *arguments, "--report", str(page)])
            paint = first_paint(page)
            shown = "-" if paint is None else f"{paint:.0f} ms"
            print(f"{name:24} {alone:9.2f} {told:9.2f} {told - alone:8.2f}s {page.stat().st_size / 1e6:6.2f} MB {shown:>9}")


if __name__ == "__main__":
    main()
