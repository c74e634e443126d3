// What Node can do: its own HTTPS server, one constant answer to everything.
import { createServer } from "node:https";
import { tlsOptions, told } from "./tls.mjs";

const body = Buffer.from(told.answer.body);
const headers = { ...told.answer.headers, "Content-Length": body.length };
createServer(tlsOptions(told.certs), (_request, response) => {
  response.writeHead(200, headers);
  response.end(body);
}).listen(told.port, "127.0.0.1");
