#!/bin/sh
# Process 1 of the container: sh entrypoint.sh PROGRAM [ARGUMENTS...]
#
# The kernel drops every signal to process 1 that it does not handle, and Node.js handles none in its first tenths of a second. A shell
# handles them at once, and passes them on. The program runs as the owner of the certificates folder. The shell does not exec the program,
# because then there would be no handler again.
case " $* " in *" start "*) stopped=0 ;; *) stopped=143 ;; esac
trap 'exit $stopped' TERM INT

folder=${SANDBOX_CERTS:-/certs}
as_owner=
if [ "$(id -u)" = 0 ] && owner=$(stat -c %u "$folder" 2>/dev/null) && [ "$owner" != 0 ]; then
  group=$(stat -c %g "$folder")
  as_owner="setpriv --reuid $owner --regid $group --groups $group"
  # If that is not permitted, container.js reports what is missing.
  $as_owner true 2>/dev/null || as_owner=
fi

child=
stopping=
pass_on() {
  stopping=yes
  [ -n "$child" ] || return
  # Until the child has its own session, it is a copy of this shell and loses signals.
  while read -r _ _ _ _ _ session _ 2>/dev/null <"/proc/$child/stat" && [ "$session" != "$child" ]; do :; done
  # Without the capability KILL, root may not send a signal to another user's process.
  kill -TERM "$child" 2>/dev/null || $as_owner sh -c 'kill -TERM "$1"' sh "$child" 2>/dev/null
}
trap pass_on TERM INT

# In its own session, so that Ctrl+C in a terminal arrives once. Input is passed explicitly: a program in the background would get none.
exec 3<&0
# shellcheck disable=SC2086 # words
setsid $as_owner "$@" <&3 3<&- &
child=$!
exec 3<&-
if [ -n "$stopping" ]; then pass_on; fi

# A signal ends the wait, not the program.
while :; do
  wait "$child"
  status=$?
  [ -e "/proc/$child" ] || break
done
# Node.js got the signal before it could handle one.
if [ -n "$stopping" ] && [ "$status" = 143 ]; then status=$stopped; fi
exit "$status"
