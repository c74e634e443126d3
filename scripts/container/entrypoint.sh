#!/bin/sh
# Process 1 of the container: sh entrypoint.sh PROGRAM [ARGUMENTS...]
#
# The kernel keeps from process 1 every signal that it does not handle, and Node.js handles none in its first tenths of a second. A shell
# does so at once, and passes them on. The program runs as the owner of the certificates folder. The shell stays what it is: a program that
# takes its place would handle no signal either.
case " $* " in *" start "*) stopped=0 ;; *) stopped=143 ;; esac
trap 'exit $stopped' TERM INT

folder=${SANDBOX_CERTS:-/certs}
as_owner=
if [ "$(id -u)" = 0 ] && owner=$(stat -c %u "$folder" 2>/dev/null) && [ "$owner" != 0 ]; then
  group=$(stat -c %g "$folder")
  as_owner="setpriv --reuid $owner --regid $group --groups $group"
  # Where that is not permitted, container.js says what is missing.
  $as_owner true 2>/dev/null || as_owner=
fi

child=
told=
pass_on() {
  told=yes
  [ -n "$child" ] || return
  # Until it has its own session it is a copy of this shell, which loses what it is sent.
  while read -r _ _ _ _ _ session _ 2>/dev/null <"/proc/$child/stat" && [ "$session" != "$child" ]; do :; done
  # Without the capability KILL, root may send no signal to another user's process.
  kill -TERM "$child" 2>/dev/null || $as_owner sh -c 'kill -TERM "$1"' sh "$child" 2>/dev/null
}
trap pass_on TERM INT

# In a session of its own, so that Ctrl+C in a terminal arrives once. A program in the background would get no input.
exec 3<&0
# shellcheck disable=SC2086 # words
setsid $as_owner "$@" <&3 3<&- &
child=$!
exec 3<&-
if [ -n "$told" ]; then pass_on; fi

# A signal ends the waiting, not the program.
while :; do
  wait "$child"
  status=$?
  [ -e "/proc/$child" ] || break
done
# Node.js was told before it could handle a signal.
if [ -n "$told" ] && [ "$status" = 143 ]; then status=$stopped; fi
exit "$status"
