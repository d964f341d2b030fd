// A server that reads requests with Node's llhttp. It prints its port and answers every request with the body of the request.
import http from "node:http";

const server = http.createServer({ keepAliveTimeout: 60000 }, (request, response) => {
  const parts = [];
  request.on("data", (part) => parts.push(part));
  request.on("end", () => {
    const body = Buffer.concat(parts);
    // without a length, Node closes the connection of an HTTP/1.0 request
    response.setHeader("Content-Length", body.length);
    response.end(body);
  });
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
