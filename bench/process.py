"""What a command costs, for the benchmarks that run one."""
import os
import subprocess
import sys


def measured(command):
    """CPU seconds, peak memory in GB as the system counted it, and what was printed."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    text = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"{' '.join(command)}: {process.stderr.read()}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1e6 * 1.024, text
