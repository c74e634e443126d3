#!/usr/bin/env bash
# A client for the business payments service, with curl and jq. Source it for its functions, or run it for the calls at its end.
set -euo pipefail
umask 077 # Tokens are kept in files.

for needed in SANDBOX_URL SANDBOX_CLIENT_ID SANDBOX_CA_FILE SANDBOX_CERT_FILE SANDBOX_KEY_FILE; do
  [[ -n ${!needed:-} ]] && continue
  echo "$needed is not set: source certs/clients/demo/client.env, or use \`payments-sandbox run --\`" >&2
  exit 1
done

command -v jq >/dev/null || { echo "error: jq is needed, to read JSON" >&2; exit 1; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

attempts=4      # for a request that fails temporarily
time_out=5      # seconds for one attempt
early=10        # a token is replaced this many seconds before it expires
token_ends=0    # when the token must be replaced, in seconds since the epoch

fail() { echo "error: $*" >&2; exit 1; }

# send METHOD PATH [CURL OPTIONS…]: sets STATUS, and writes the body to $work/body. Temporary failures are retried: no
# connection, an incomplete answer, 429 and 5xx. That is safe here, because no request of this client changes anything.
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

# The code of an error; empty if the body is not from the service.
code() { jq --raw-output '.code // empty' "$work/body" 2>/dev/null || true; }

# expect_success WHAT: fails, unless the answer is a success. A proxy may answer with 200 and a page of its own.
expect_success() {
  [[ $STATUS == 200 ]] || fail "$1: $STATUS $(code)"
  jq --exit-status 'type == "object"' "$work/body" >/dev/null 2>&1 || fail "$1: an answer of another type instead of JSON"
}

# Gets a token, and keeps it until it expires. It is bound to the certificate: the service refuses it with another one.
token() {
  (($(date +%s) < token_ends)) && return
  send POST /oauth/v2/oauth-token --data-urlencode "client_id=$SANDBOX_CLIENT_ID" \
    --data-urlencode grant_type=client_credentials --data-urlencode scope=read
  expect_success "no token"
  jq --exit-status '.token_type | ascii_downcase == "bearer"' "$work/body" >/dev/null || fail "a token of another type"
  # In a file, because every user can read the arguments of a process.
  jq --raw-output '"Authorization: Bearer " + .access_token' "$work/body" >"$work/authorization"
  token_ends=$(($(date +%s) + $(jq '.expires_in | tonumber' "$work/body") - early))
}

# call PATH [CURL OPTIONS…]: a GET with a token. After a 401 the token is not valid any more: there is one retry with a
# new token.
call() {
  token
  send GET "$1" --header "@$work/authorization" "${@:2}"
  if [[ $STATUS == 401 ]]; then
    token_ends=0
    token
    send GET "$1" --header "@$work/authorization" "${@:2}"
  fi
}

# list PATH [FILTER=VALUE…]: prints every row of a list once, as a line of JSON. Every request with a cursor has the same
# filters. The list ends when there is no cursor. When a cursor is refused, the walk starts again, once.
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
    fi
    expect_success "$path"
    jq --raw-output '.items[] | .id + "\t" + tojson' "$work/body" >>"$work/rows"
    cursor=$(jq --raw-output '.nextCursor // empty' "$work/body")
    [[ -n $cursor ]] || break
    [[ $sent != *" $cursor "* ]] || fail "$path leads in a circle"
    sent+="$cursor "
  done
  # After a restart, or if rows moved during the walk, some rows appear twice.
  awk -F '\t' '!seen[$1]++ { print $2 }' "$work/rows"
}

# What this client understood: a line of the answer sheet for `payments-sandbox exam`.
answer() {
  [[ -z ${SANDBOX_ANSWERS:-} ]] || jq --compact-output "$@" >>"$SANDBOX_ANSWERS"
}

[[ ${BASH_SOURCE[0]} == "$0" ]] || return 0

call /v1/ping
expect_success ping
echo "ping: ok"

call /v1/ping --get --data-urlencode produceError=true
echo "example error: $STATUS $(code)"
answer '{ error: { operation: "ping", code } }' "$work/body"

list /v1/payouts status=PAID >"$work/payouts"
echo "paid payouts: $(wc -l <"$work/payouts" | tr -d ' ')"
answer --slurp '{ list: "payouts", ids: map(.id) }' "$work/payouts"
