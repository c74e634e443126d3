"""Runs a command on a pseudo-terminal of its own, and ends with its exit status.

What arrives at standard input is typed; its end closes the terminal. What the terminal shows goes to standard error: the
echo of what is typed, the prompts, and the standard error of the command. Its standard output is that of this program,
and has no echo.

Usage: terminal.py COMMAND...
"""
import os
import pty
import select
import sys

output = os.dup(1)
pid, terminal = pty.fork()
if pid == 0:
    os.dup2(output, 1)
    os.execvp(sys.argv[1], sys.argv[1:])

sources = [0, terminal]
while terminal in sources:
    for source in select.select(sources, [], [])[0]:
        try:
            data = os.read(source, 4096)
        except OSError:
            # Linux reports the end of a terminal so.
            data = b""
        if data:
            os.write(terminal if source == 0 else 2, data)
        else:
            sources.remove(terminal)
            break
# If the command still runs, this hangs up.
os.close(terminal)
status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
sys.exit(status if status >= 0 else 128 - status)
