"""What a command costs, for the benchmarks that run one.

The system counts the memory of whoever starts a command as that of the command: make large arrays in another process.
"""
import os
import subprocess
import sys
import time
from typing import NamedTuple


class Run(NamedTuple):
    """A command that has ended."""

    wall: float
    cpu: float
    #: Bytes at the most, as the system counted them: pages of files that are mapped would count.
    peak: int
    code: int
    printed: str
    told: str


def run(command):
    """Runs a command to its end, whatever that is."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    printed, told = process.stdout.read(), process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    cpu = usage.ru_utime + usage.ru_stime
    return Run(time.perf_counter() - start, cpu, usage.ru_maxrss * 1024, process.returncode, printed, told)


def measured(command):
    """CPU seconds, peak memory in GB and what was printed, of a command that must succeed."""
    done = run(command)
    if done.code:
        sys.exit(f"{' '.join(map(str, command))}: {done.told}")
    return done.cpu, done.peak / 1e9, done.printed
