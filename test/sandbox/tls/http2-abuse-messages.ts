import { frame, requestFields, uint32 } from "../../support/http2-frames.js";
import { type AbuseTable, all, body, changed, data, get, post, request, without } from "./http2-abuse-parts.js";

/** Requests that are malformed (RFC 9113 §8.1.1), or only unusual. */
export const messages: AbuseTable = {
  "an upper-case name": [get(["X-Upper", "1"]), "stream PROTOCOL_ERROR"],
  // RFC 9113 §8.2.1 calls the next five malformed. nghttp2 drops the field and serves the request.
  "a name with a space": [get(["a b", "1"]), "answer 200"],
  "an empty name": [get(["", "1"]), "answer 200"],
  "a line break in a value": [get(["x-lines", "a\r\nb: c"]), "answer 200"],
  "a NUL in a value": [get(["x-nul", "a\0b"]), "answer 200"],
  "a value with a space at its end": [get(["x-space", "a "]), "answer 200"],
  Connection: [get(["connection", "close"]), "stream PROTOCOL_ERROR"],
  "Keep-Alive": [get(["keep-alive", "timeout=5"]), "stream PROTOCOL_ERROR"],
  "Proxy-Connection": [get(["proxy-connection", "close"]), "stream PROTOCOL_ERROR"],
  "Transfer-Encoding": [get(["transfer-encoding", "chunked"]), "stream PROTOCOL_ERROR"],
  Upgrade: [get(["upgrade", "h2c"]), "stream PROTOCOL_ERROR"],
  "TE: gzip": [get(["te", "gzip"]), "stream PROTOCOL_ERROR"],
  "TE: trailers": [get(["te", "trailers"]), "answer 200"],
  "no :method": [request(without(":method")), "stream PROTOCOL_ERROR"],
  "no :scheme": [request(without(":scheme")), "stream PROTOCOL_ERROR"],
  "no :path": [request(without(":path")), "stream PROTOCOL_ERROR"],
  "two :method": [request([[":method", "GET"], ...requestFields("GET", "/abuse")]), "stream PROTOCOL_ERROR"],
  "two :path": [request([[":path", "/"], ...requestFields("GET", "/abuse")]), "stream PROTOCOL_ERROR"],
  "two :authority": [request([[":authority", "a"], ...requestFields("GET", "/abuse")]), "stream PROTOCOL_ERROR"],
  "an unknown pseudo-header": [
    request([[":unknown", "1"], ...requestFields("GET", "/abuse")]),
    "stream PROTOCOL_ERROR",
  ],
  "a :status": [request([[":status", "200"], ...requestFields("GET", "/abuse")]), "stream PROTOCOL_ERROR"],
  "a pseudo-header after a header": [
    request([["x-first", "1"], ...requestFields("GET", "/abuse")]),
    "stream PROTOCOL_ERROR",
  ],
  "an empty :path": [request(changed(":path", "")), "stream PROTOCOL_ERROR"],
  "a :path without a slash": [request(changed(":path", "abuse")), "stream PROTOCOL_ERROR"],
  "a :path that is an asterisk": [request(changed(":path", "*")), "stream PROTOCOL_ERROR"],
  "a :path with a space": [request(changed(":path", "/a b")), "stream PROTOCOL_ERROR"],
  "an empty :method": [request(changed(":method", "")), "stream PROTOCOL_ERROR"],
  "a :method that is not a token": [request(changed(":method", "G T")), "stream PROTOCOL_ERROR"],
  "the :scheme http": [request(changed(":scheme", "http")), "answer 200"],
  "another :scheme": [request(changed(":scheme", "ftp")), "answer 400"],
  "an :authority with user information": [
    request(changed(":authority", "user@localhost")),
    "answer 400",
    "stream PROTOCOL_ERROR",
  ],
  "an :authority that is not a host": [request(changed(":authority", "a b")), "stream PROTOCOL_ERROR"],
  "an empty :authority": [request(changed(":authority", "")), "stream PROTOCOL_ERROR"],
  "a Host that differs from :authority": [get(["host", "other"]), "answer 400"],
  "a Host that is the :authority": [get(["host", "localhost"]), "answer 200"],
  "a Host without :authority": [request([...without(":authority"), ["host", "localhost"]]), "answer 200"],
  "neither Host nor :authority": [request(without(":authority")), "stream PROTOCOL_ERROR"],
  "two Hosts": [get(["host", "localhost"], ["host", "localhost"]), "stream PROTOCOL_ERROR"],
  CONNECT: [
    request(
      [
        [":method", "CONNECT"],
        [":authority", "localhost:443"],
      ],
      body,
    ),
    "answer 400",
  ],
  "CONNECT with a :path": [request(changed(":method", "CONNECT"), body), "stream PROTOCOL_ERROR"],
  "an extended CONNECT": [
    request([[":protocol", "websocket"], ...changed(":method", "CONNECT")], body),
    "stream PROTOCOL_ERROR",
  ],
  "a :protocol with a GET": [
    request([[":protocol", "websocket"], ...requestFields("GET", "/abuse")]),
    "stream PROTOCOL_ERROR",
  ],
  "less data than announced": [all(post(["content-length", "5"]), data("abc", true)), "stream PROTOCOL_ERROR"],
  "more data than announced": [
    all(post(["content-length", "2"]), data("abc", true)),
    "stream PROTOCOL_ERROR",
    "connection INTERNAL_ERROR",
  ],
  "data after a length of 0": [
    all(post(["content-length", "0"]), data("abc", true)),
    "stream PROTOCOL_ERROR",
    "connection INTERNAL_ERROR",
  ],
  "an announced length without data": [get(["content-length", "5"]), "stream PROTOCOL_ERROR"],
  "two lengths": [
    all(post(["content-length", "3"], ["content-length", "4"]), data("abc", true)),
    "stream PROTOCOL_ERROR",
  ],
  "a length that is not a number": [all(post(["content-length", "-1"]), data("abc", true)), "stream PROTOCOL_ERROR"],
  "a length that is too large a number": [
    all(post(["content-length", "99999999999999999999"]), data("abc", true)),
    "stream PROTOCOL_ERROR",
  ],
  "Expect: 100-continue": [all(post(["expect", "100-continue"]), data("abc", true)), "answer 200"],
  "Expect: 100-continue, and a RST_STREAM with NO_ERROR": [
    all(post(["expect", "100-continue"], ["content-length", "9"]), frame("RST_STREAM", 0, 1, uint32(0))),
    "nothing",
  ],
  "another Expect": [all(post(["expect", "tea"]), data("abc", true)), "answer 417"],
  trailers: [all(post(), data("abc", false), request([["x-trailer", "1"]])), "answer 200"],
  "trailers with a pseudo-header": [
    all(post(), data("abc", false), request([[":path", "/"]])),
    "stream PROTOCOL_ERROR",
  ],
  "trailers that do not end the stream": [
    all(post(), data("abc", false), request([["x-trailer", "1"]], body)),
    "stream PROTOCOL_ERROR",
  ],
};
