"""Runs a program on a terminal of its own: what we are given goes to its keyboard, what it shows comes out of us.

usage: on-terminal.py COLUMNSxROWS PROGRAM [ARGUMENT...]
A line NUL 'size COLUMNSxROWS' NUL in our input resizes the window. We exit as the program does.
"""
import fcntl
import os
import pty
import select
import struct
import sys
import termios


def resize(fd, size):
    columns, rows = (int(part) for part in size.split("x"))
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


pid, fd = pty.fork()
if pid == 0:
    resize(0, sys.argv[1])
    os.execvp(sys.argv[2], sys.argv[2:])
resize(fd, sys.argv[1])

keyboard = [0]
while True:
    ready, _, _ = select.select([fd, *keyboard], [], [])
    if 0 in ready:
        typed = os.read(0, 65536)
        if typed == b"":
            keyboard = []
        for index, part in enumerate(typed.split(b"\0")):
            if index % 2 == 1:
                resize(fd, part.decode().removeprefix("size "))
            elif part:
                os.write(fd, part)
    if fd in ready:
        try:
            shown = os.read(fd, 65536)
        except OSError:
            shown = b""
        if shown == b"":
            break
        os.write(1, shown)

_, status = os.waitpid(pid, 0)
sys.exit(os.waitstatus_to_exitcode(status) % 256)
