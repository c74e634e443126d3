"""Runs a command on a pseudo-terminal, waits for a prompt, types an answer, and prints what the terminal showed and the exit status.

Usage: prompt.py ANSWER COMMAND...; ^C and ^D in the answer are those keys.
"""
import os
import pty
import sys

answer = sys.argv[1].replace("^C", "\x03").replace("^D", "\x04").encode()
pid, terminal = pty.fork()
if pid == 0:
    os.execvp(sys.argv[2], sys.argv[2:])
shown, typed = b"", False
while True:
    try:
        data = os.read(terminal, 4096)
    except OSError:
        break
    if not data:
        break
    shown += data
    if not typed and b"Type yes" in shown:
        os.write(terminal, answer)
        typed = True
_, status = os.waitpid(pid, 0)
sys.stdout.buffer.write(shown + b"\nexit status %d\n" % os.waitstatus_to_exitcode(status))
