"""A client for the business payments service, with Python's standard library only (3.9 or later)."""

import email.utils
import http.client
import json
import ssl
import sys
import time
import urllib.parse
import uuid

ATTEMPTS = 4  # for a request that fails temporarily
TIME_OUT = 5  # seconds for one attempt to connect, and for each read
EARLY = 10  # seconds: a token must still be valid when it arrives
STALE_CURSOR = {"INVALID_CURSOR", "CURSOR_FILTERS_CHANGED"}  # after these, a walk starts again without a cursor


def _wait(retry_after):
    """The wait that Retry-After requests, as a number or a date (RFC 9110 section 10.2.3): seconds, at most 30."""
    if retry_after.isdecimal():
        return min(int(retry_after), 30)
    date = email.utils.parsedate_tz(retry_after)
    return min(max(email.utils.mktime_tz(date) - time.time(), 0), 30) if date else 0


class ApiError(Exception):
    """An answer that is an error. Decide by `code`; the message is for people."""

    def __init__(self, status, body, correlation_id):
        self.status = status
        # None if the body is not from the service: a proxy may have answered.
        self.code = body.get("code")
        self.correlation_id = correlation_id
        super().__init__(f"{status} {self.code}: {body.get('message')} (correlation ID {correlation_id})")


class PaymentsClient:
    """A client with one certificate. Its tokens are bound to that certificate, so each client has its own.

    It has one connection; give each thread a client of its own.
    """

    def __init__(self, url, client_id, ca_file, cert_file, key_file):
        address = urllib.parse.urlsplit(url)
        self._host, self._port = address.hostname, address.port or 443
        self._client_id = client_id
        self._files = ca_file, cert_file, key_file
        self._tls = None
        self._certificate = None
        self._connection = None
        self._token = None
        self._token_ends = 0.0
        self._reload()

    def _reload(self):
        """Reads the files again. A new certificate needs a new connection, and a token of its own."""
        ca_file, cert_file, key_file = self._files
        with open(cert_file, "rb") as file:
            certificate = file.read()
        if certificate == self._certificate:
            return
        # The CA replaces the default ones: no other CA is trusted. Certificate and host name are verified.
        tls = ssl.create_default_context(cafile=ca_file)
        try:
            tls.load_cert_chain(cert_file, key_file)
        except ssl.SSLError:
            # The files may have been replaced between the two reads. The next call finds a pair that fits.
            if self._tls is None:
                raise
            return
        self.close()
        self._tls, self._certificate, self._token = tls, certificate, None

    def ping(self, **query):
        return self.get("/v1/ping", query)

    def list(self, path, **filters):
        """Every row of a list, once, in order. With a cursor, the filters are exactly those of the first request."""
        seen = set()
        sent = set()
        cursor = None
        restarted = False
        while True:
            try:
                page = self.get(path, {**filters, "pageSize": 5, **({"cursor": cursor} if cursor else {})})
            except ApiError as error:
                if cursor is None or restarted or error.code not in STALE_CURSOR:
                    raise
                cursor, restarted = None, True
                sent.clear()
                continue
            for row in page["items"]:
                # A row appears again after a restart, or if new rows arrived during the walk.
                if row["id"] not in seen:
                    seen.add(row["id"])
                    yield row
            # A page may be empty; the list ends only when there is no cursor.
            cursor = page.get("nextCursor")
            if cursor is None:
                return
            if cursor in sent:
                raise RuntimeError(f"{path} leads in a circle")
            sent.add(cursor)

    def get(self, path, query=None):
        """A GET with a token. After a 401 the token is not valid any more: there is one retry with a new token."""
        target = f"{path}?{urllib.parse.urlencode(query or {})}"
        self._reload()
        answer = self._send("GET", target, {"Authorization": f"Bearer {self._access_token()}"})
        if answer.status == 401:
            self._token = None
            self._reload()
            answer = self._send("GET", target, {"Authorization": f"Bearer {self._access_token()}"})
        return answer.body()

    def close(self):
        if self._connection is not None:
            self._connection.close()
        self._connection = None

    def _access_token(self):
        if self._token is not None and time.monotonic() < self._token_ends:
            return self._token
        form = {"client_id": self._client_id, "grant_type": "client_credentials", "scope": "read"}
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        sent_at = time.monotonic()
        token = self._send("POST", "/oauth/v2/oauth-token", headers, urllib.parse.urlencode(form)).body()
        if token["token_type"].lower() != "bearer":
            raise RuntimeError(f"a token of type {token['token_type']}")
        self._token = token["access_token"]
        self._token_ends = sent_at + token["expires_in"] - EARLY
        return self._token

    def _send(self, method, target, headers, body=None):
        """Sends a request. Temporary failures are retried: no connection, an incomplete answer, 429 and 5xx. That is
        safe here, because no request of this client changes anything."""
        for attempt in range(1, ATTEMPTS + 1):
            correlation_id = str(uuid.uuid4())
            pause = 0.2 * 2 ** (attempt - 1)
            try:
                answer = self._exchange(method, target, {**headers, "X-Correlation-ID": correlation_id}, body)
                outcome = answer.status
            except (OSError, http.client.HTTPException) as error:
                # The state of this connection is unknown.
                self.close()
                answer, outcome = error, repr(error)
            path = target.partition("?")[0]
            print(f"{method} {path} -> {outcome}, correlation ID {correlation_id}", file=sys.stderr)
            if isinstance(answer, Exception):
                # A retry does not help if the certificate of the server is not trusted.
                if attempt == ATTEMPTS or isinstance(answer, ssl.SSLCertVerificationError):
                    raise answer
            elif (answer.status == 429 or answer.status >= 500) and attempt < ATTEMPTS:
                retry_after = answer.headers.get("Retry-After", "")
                pause = _wait(retry_after) or pause
            else:
                return answer
            time.sleep(pause)

    def _exchange(self, method, target, headers, body):
        if self._connection is None:
            self._connection = http.client.HTTPSConnection(
                self._host, self._port, context=self._tls, timeout=TIME_OUT
            )
        self._connection.request(method, target, body, headers)
        answer = self._connection.getresponse()
        # Read here: a body that is cut short raises IncompleteRead.
        return _Answer(answer.status, answer.headers, answer.read(), headers["X-Correlation-ID"])


class _Answer:
    def __init__(self, status, headers, content, correlation_id):
        self.status = status
        self.headers = headers
        self._content = content
        self._correlation_id = correlation_id

    def body(self):
        is_json = self.headers.get_content_type() == "application/json"
        body = json.loads(self._content) if is_json else {}
        if not 200 <= self.status <= 299:
            raise ApiError(self.status, body, self._correlation_id)
        if not is_json:
            raise RuntimeError(f"an answer of the type {self.headers.get('Content-Type')} instead of JSON")
        return body
