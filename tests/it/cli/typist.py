# Runs a command in a terminal of 80 by 24, types keys after a second and a half, and prints as JSON
# what was shown, how the command exited, and whether the terminal is set as before. H, T and \ are
# no keys: they send SIGHUP, SIGTERM and SIGQUIT.
import fcntl, json, os, pty, select, signal, struct, sys, termios, time
SIGNALS = {b"H": signal.SIGHUP, b"T": signal.SIGTERM, b"\\": signal.SIGQUIT}
keys, args = sys.argv[1].encode(), sys.argv[2:]
pid, tty = pty.fork()
if pid == 0:
    time.sleep(0.3)
    os.execvp(args[0], args)
fcntl.ioctl(tty, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
before, shown, begun = termios.tcgetattr(tty), b"", time.monotonic()
while time.monotonic() - begun < 120:
    if b"q stop" in shown and keys and time.monotonic() - begun > 1.5:
        if keys[:1] in SIGNALS:
            os.kill(pid, SIGNALS[keys[:1]])
        else:
            os.write(tty, keys[:1])
        keys = keys[1:]
        begun += 0.7
    if select.select([tty], [], [], 0.1)[0]:
        try:
            shown += os.read(tty, 65536)
        except OSError:
            break
code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
after = termios.tcgetattr(tty)
print(json.dumps({"shown": shown.decode("utf-8", "replace"), "code": code, "restored": before == after}))
