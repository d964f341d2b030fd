// Requests as Node's llhttp reads them: prints its port; every request is answered with its body.
import http from "node:http";

const server = http.createServer({ keepAliveTimeout: 60000 }, (request, response) => {
  const parts = [];
  request.on("data", (part) => parts.push(part));
  request.on("end", () => response.end(Buffer.concat(parts)));
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
