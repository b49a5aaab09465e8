/** The least an HTTP server of Node can do: `/N` is answered with N bytes that are always the same. */
import { once } from "node:events";
import { createServer } from "node:http";

const filler = Buffer.alloc(1_000_000, "x");
const server = createServer((request, response) => {
  request.resume();
  response.end(filler.subarray(0, Number(request.url?.slice(1))));
});
// With room for all that come at once, as ours: whoever is sent away comes again a second later.
server.listen(0, "127.0.0.1", 2048);
await once(server, "listening");
const address = server.address();
if (typeof address === "string" || address === null) throw new Error("not on a port");
console.log(JSON.stringify({ address: `http://127.0.0.1:${address.port}` }));
process.once("SIGTERM", () => process.exit(0));
