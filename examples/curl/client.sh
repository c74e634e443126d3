#!/usr/bin/env bash
# A client for the business payments service, with curl and jq. Source it for its functions, or run it for what stands at the end.
set -euo pipefail
umask 077 # Tokens lie in files here.

for needed in SANDBOX_URL SANDBOX_CLIENT_ID SANDBOX_CA_FILE SANDBOX_CERT_FILE SANDBOX_KEY_FILE; do
  [[ -n ${!needed:-} ]] && continue
  echo "$needed is not set: source certs/clients/demo/client.env, or use \`payments-sandbox run --\`" >&2
  exit 1
done

command -v jq >/dev/null || { echo "error: jq is needed, to read JSON" >&2; exit 1; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

attempts=4      # of a request that fails for no fault of its own
time_out=5      # seconds for one attempt
early=10        # seconds before its expiry, a token is no longer used
token_ends=0    # when the token must be replaced, in seconds since the epoch

fail() { echo "error: $*" >&2; exit 1; }

# send METHOD PATH [CURL OPTIONS…]: sets STATUS, and leaves the body in $work/body. What a wait can mend is tried again: no
# connection, no whole answer, 429 and 5xx. That is safe here, because nothing that is sent changes anything.
send() {
  local method=$1 path=$2 attempt id pause
  shift 2
  for ((attempt = 1; ; attempt++)); do
    id=$(uuidgen 2>/dev/null || cat /proc/sys/kernel/random/uuid)
    : >"$work/body" >"$work/headers"
    STATUS=$(curl --silent --show-error --max-time "$time_out" --request "$method" \
      --cacert "$SANDBOX_CA_FILE" --cert "$SANDBOX_CERT_FILE" --key "$SANDBOX_KEY_FILE" \
      --header "X-Correlation-ID: $id" --dump-header "$work/headers" --output "$work/body" --write-out '%{http_code}' \
      "$@" "$SANDBOX_URL$path") || STATUS=000
    echo "$method $path -> $STATUS, correlation ID $id" >&2
    [[ $STATUS == 000 || $STATUS == 429 || $STATUS == 5?? ]] || return 0
    ((attempt < attempts)) || return 0
    pause=$(sed -n 's/^[Rr]etry-[Aa]fter: *\([^\r]*\)\r*$/\1/p' "$work/headers")
    # A number or a date (RFC 9110 section 10.2.3).
    if [[ $pause == *GMT ]]; then
      pause=$(jq --null-input --arg date "$pause" '[($date | strptime("%a, %d %b %Y %H:%M:%S GMT") | mktime) - now | ceil, 0] | max')
    fi
    sleep "${pause:-0.$((2 * attempt))}"
  done
}

# The code of an error; empty where the body is none of the service's.
code() { jq --raw-output '.code // empty' "$work/body" 2>/dev/null || true; }

# Has a token for the certificate that is in use: the two belong together, and the service refuses either without the other.
token() {
  (($(date +%s) < token_ends)) && return
  send POST /oauth/v2/oauth-token --data-urlencode "client_id=$SANDBOX_CLIENT_ID" \
    --data-urlencode grant_type=client_credentials --data-urlencode scope=read
  [[ $STATUS == 200 ]] || fail "no token: $STATUS $(code)"
  jq --exit-status '.token_type | ascii_downcase == "bearer"' "$work/body" >/dev/null || fail "a token of another type"
  # In a file, because everybody can read the arguments of a process.
  jq --raw-output '"Authorization: Bearer " + .access_token' "$work/body" >"$work/authorization"
  token_ends=$(($(date +%s) + $(jq .expires_in "$work/body") - early))
}

# call PATH [CURL OPTIONS…]: a GET with a token. A 401 means that the token is not good (any more): a fresh one gets one try.
call() {
  token
  send GET "$1" --header "@$work/authorization" "${@:2}"
  if [[ $STATUS == 401 ]]; then
    token_ends=0
    token
    send GET "$1" --header "@$work/authorization" "${@:2}"
  fi
}

# list PATH [FILTER=VALUE…]: prints every row of a list once, as JSON, a line for each. With a cursor, the filters stay the same;
# without one, another page does not follow. When a cursor is refused, the walk begins again, once.
list() {
  local path=$1 filters=() cursor='' restarts=0 sent=' '
  shift
  local filter
  for filter in "$@"; do filters+=(--data-urlencode "$filter"); done
  : >"$work/rows"
  while :; do
    call "$path" --get ${filters[@]+"${filters[@]}"} --data-urlencode pageSize=5 ${cursor:+--data-urlencode "cursor=$cursor"}
    if [[ $STATUS != 200 ]]; then
      case $(code) in
        INVALID_CURSOR | CURSOR_FILTERS_CHANGED) [[ -n $cursor ]] && ((restarts++ == 0)) && cursor='' && sent=' ' && continue ;;
      esac
      fail "$path: $STATUS $(code)"
    fi
    jq --raw-output '.items[] | .id + "\t" + tojson' "$work/body" >>"$work/rows"
    cursor=$(jq --raw-output '.nextCursor // empty' "$work/body")
    [[ -n $cursor ]] || break
    [[ $sent != *" $cursor "* ]] || fail "$path leads in a circle"
    sent+="$cursor "
  done
  # After a new beginning, and where rows moved during the walk, some are there twice.
  awk -F '\t' '!seen[$1]++ { print $2 }' "$work/rows"
}

[[ ${BASH_SOURCE[0]} == "$0" ]] || return 0

call /v1/ping
[[ $STATUS == 200 ]] || fail "ping: $STATUS $(code)"
echo "ping: ok"

call /v1/ping --get --data-urlencode produceError=true
echo "example error: $STATUS $(code)"

list /v1/payouts status=PAID >"$work/payouts"
echo "paid payouts: $(wc -l <"$work/payouts" | tr -d ' ')"
