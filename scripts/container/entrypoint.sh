#!/bin/sh
# Process 1 of the container: sh entrypoint.sh PROGRAM [ARGUMENTS...]
#
# The kernel keeps from process 1 every signal that it does not handle, and Node.js handles none in its first tenths of a second. A shell
# does so at once, and passes them on. It becomes the owner of the certificates folder first, as container.js does: root without the
# capability KILL may send no signal to another user's process.
case " $* " in *" start "*) stopped=0 ;; *) stopped=143 ;; esac
trap 'exit $stopped' TERM INT

folder=${SANDBOX_CERTS:-/certs}
if [ "$(id -u)" = 0 ] && owner=$(stat -c %u "$folder" 2>/dev/null) && [ "$owner" != 0 ]; then
  group=$(stat -c %g "$folder")
  # Where that is not permitted, container.js says what is missing.
  if setpriv --reuid "$owner" --regid "$group" --groups "$group" true 2>/dev/null; then
    exec setpriv --reuid "$owner" --regid "$group" --groups "$group" sh "$0" "$@"
  fi
fi

child=
told=
pass_on() {
  told=yes
  # Until it has its own session it is a copy of this shell, which loses what it is sent.
  while [ -n "$child" ] && read -r _ _ _ _ _ session _ 2>/dev/null <"/proc/$child/stat" && [ "$session" != "$child" ]; do :; done
  if [ -n "$child" ]; then kill -TERM "$child" 2>/dev/null; fi
}
trap pass_on TERM INT

# In a session of its own, so that Ctrl+C in a terminal arrives once. A program in the background would get no input.
exec 3<&0
setsid "$@" <&3 3<&- &
child=$!
exec 3<&-
if [ -n "$told" ]; then pass_on; fi

# A signal ends the waiting, not the program.
while :; do
  wait "$child"
  status=$?
  kill -0 "$child" 2>/dev/null || break
done
# Node.js was told before it could handle a signal.
if [ -n "$told" ] && [ "$status" = 143 ]; then status=$stopped; fi
exit "$status"
