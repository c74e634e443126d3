"""A service with other choices than the sandbox. Its answers repeat data that calibrate must not write.

Usage: foreign-service.py FOLDER, with ca.pem, server.pem and server-key.pem. It prints its port, and each request as a line of JSON.
"""
import base64
import http.server
import json
import secrets
import ssl
import sys
import threading
import urllib.parse

FOLDER = sys.argv[1]
TOKENS = {}
OPEN = [0]
PEOPLE = ["Ada Lovelace", "Grace Hopper", "Alan Turing"]
ROWS = [
    {
        "transferId": "tr_%09d%s" % (7919 * (index + 3), "kqz"[index % 3]),
        "holder": PEOPLE[index % 3],
        "account": {"iban": "GB29NWBK6016133192%04d" % (6000 + index), "balances": {"GB29NWBK6016133192%04d" % index: 17.5}},
        "contact": "person%d@example.org" % index,
        "kind": ["credit", "debit"][index % 2],
        "state": ["Booked", "Pending"][index // 7 % 2],
        "minorUnits": 7654321 + 17 * index,
        "valueDate": "2026-%02d-%02d" % (10 - index // 28, 28 - index % 28),
    }
    for index in range(70)
]


TELLING = threading.Lock()


def tell(entry):
    """Prints a line. The lock keeps the lines of two threads apart."""
    with TELLING:
        print(json.dumps(entry), flush=True)


class Refused(Exception):
    def __init__(self, status, code, **headers):
        super().__init__(code)
        self.status, self.code, self.headers = status, code, headers


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version = "Foreign"
    # An answer is sent as head and body. The body must not wait for the acknowledgement.
    disable_nagle_algorithm = True

    def setup(self):
        super().setup()
        OPEN[0] += 1

    def finish(self):
        super().finish()
        OPEN[0] -= 1

    def log_message(self, *_):
        pass

    def reply(self, status, body=None, **headers):
        text = b"" if body is None else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(text)))
        if body is not None:
            self.send_header("Content-Type", "application/problem+json" if status >= 400 else "application/json")
        self.send_header("Set-Cookie", "session=s3cr3t-cookie-value; Secure; HttpOnly")
        self.send_header("Request-Id", self.headers.get("Request-Id", secrets.token_hex(8)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(text)

    def handle_any(self):
        length = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(length).decode() if length <= 65536 else None
        url = urllib.parse.urlsplit(self.path)
        tell({"method": self.command, "url": self.path, "open": OPEN[0]})
        try:
            if self.headers.get("Host") is None:
                raise Refused(400, "no_host")
            if body is None:
                self.close_connection = True
                raise Refused(413, "too_much")
            self.route(url.path.removeprefix("/bank"), urllib.parse.parse_qsl(url.query, keep_blank_values=True), body)
        except Refused as refused:
            detail = "Not good: %s, of %s" % (self.headers.get("Authorization", "nobody"), PEOPLE[0])
            problem = {"type": "about:blank", "title": "No", "detail": detail, "code": refused.code}
            self.reply(refused.status, problem, **refused.headers)

    do_GET = do_POST = do_PUT = do_DELETE = do_OPTIONS = do_HEAD = handle_any

    def route(self, path, query, body):
        if path == "/oauth/v2/oauth-token":
            return self.token(body)
        if path not in ("/v1/ping", "/transfers"):
            raise Refused(404, "nothing_here")
        if self.command != "GET":
            raise Refused(405, "method_refused", Allow="GET")
        client = self.client()
        known = {"/v1/ping": ["produceError"], "/transfers": ["page_size", "starting_after", "since", "until", "kind"]}
        for name, value in query:
            if name not in known[path]:
                raise Refused(422, "parameter_unknown")
            if name == "produceError" and value not in ("true", "false"):
                raise Refused(422, "not_a_boolean")
        if path == "/v1/ping":
            return self.reply(200, {"alive": True, "customer": client, "operator": PEOPLE[0], "release": "4.2"})
        return self.page(dict(query))

    def client(self):
        authorization = self.headers.get("Authorization")
        if authorization is None:
            raise Refused(401, "token_absent", WWW_Authenticate='Bearer realm="bank"')
        token = authorization.removeprefix("Bearer ")
        certificate = self.connection.getpeercert(binary_form=True)
        if TOKENS.get(token) != certificate or certificate is None:
            challenge = 'Bearer realm="bank", error="invalid_token", error_description="%s"' % token
            raise Refused(401, "token_wrong", WWW_Authenticate=challenge)
        return "acme-corporation"

    def token(self, body):
        if self.command != "POST":
            raise Refused(405, "method_refused", Allow="POST")
        if self.headers.get_content_type() != "application/x-www-form-urlencoded":
            raise Refused(415, "form_expected")
        form = dict(urllib.parse.parse_qsl(body))
        certificate = self.connection.getpeercert(binary_form=True)
        if form.get("client_id") != "acme-corporation" or certificate is None:
            raise Refused(403, "client_wrong")
        if form.get("grant_type") != "client_credentials":
            raise Refused(400, "grant_absent" if "grant_type" not in form else "grant_wrong")
        if form.get("scope") != "read":
            raise Refused(400, "scope_wrong")
        token = secrets.token_urlsafe(24)
        TOKENS[token] = certificate
        tell({"token": token})
        return self.reply(200, {"access_token": token, "token_type": "Bearer", "expires_in": 900, "scope": "read"})

    def page(self, query):
        size = query.get("page_size", "9")
        if not size.isdigit() or not 2 <= int(size) <= 40:
            raise Refused(400, "INVALID_PAGE_SIZE")
        rows = ROWS
        for name, holds in (("since", lambda row, day: row >= day), ("until", lambda row, day: row <= day)):
            day = query.get(name)
            if day is not None and (len(day) != 10 or not day.replace("-", "").isdigit()):
                raise Refused(400, "VALIDATION_ERROR")
            rows = [row for row in rows if day is None or holds(row["valueDate"], day)]
        rows = [row for row in rows if query.get("kind", row["kind"]) == row["kind"]]
        start = 0
        if "starting_after" in query:
            try:
                start = int(base64.b64decode(query["starting_after"], validate=True).decode().removeprefix("row-"))
            except ValueError as error:
                raise Refused(400, "INVALID_CURSOR") from error
        end = start + int(size)
        more = end < len(rows)
        paging = {"more": more, "matching": len(rows)}
        if more:
            paging["after"] = base64.b64encode(b"row-%d" % end).decode()
        return self.reply(200, {"transfers": rows[start:end], "paging": paging})


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True


context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(FOLDER + "/server.pem", FOLDER + "/server-key.pem")
context.load_verify_locations(FOLDER + "/ca.pem")
context.verify_mode = ssl.CERT_OPTIONAL
server = Server(("127.0.0.1", 0), Handler)
server.socket = context.wrap_socket(server.socket, server_side=True)
tell({"port": server.server_address[1]})
threading.Thread(target=lambda: (sys.stdin.read(), server.shutdown()), daemon=True).start()
server.serve_forever()
