// Bare Hono on Node's `http2`: one route, no checks, the sandbox's bytes. HTTP/1.1 is on because the bench uses it to
// wait for the start.
import { createSecureServer } from "node:http2";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { tlsOptions, told } from "./tls.mjs";

const { path, headers, body } = told.answer;
const app = new Hono();
app.get(path, () => new Response(body, { headers }));
createSecureServer({ ...tlsOptions(told.certs), allowHTTP1: true }, getRequestListener(app.fetch)).listen(
  told.port,
  "127.0.0.1",
);
