// Bare Hono: one route, no checks. It returns the sandbox's bytes in the form that the adapter writes fastest, or the
// sandbox's JSON without its headers, as in Hono's documentation.
import { createServer } from "node:https";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { tlsOptions, told } from "./tls.mjs";

const { path, headers, body } = told.answer;
const app = new Hono();
const json = JSON.parse(body);
app.get(path.split("?")[0], told.plain ? (context) => context.json(json) : () => new Response(body, { headers }));
createServer(tlsOptions(told.certs), getRequestListener(app.fetch)).listen(told.port, "127.0.0.1");
