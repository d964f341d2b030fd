// An agent with OpenTelemetry instrumentation: its span is a child of the traceparent that it receives, and is sent to POST /v1/traces.
// Prints its port; ends when its standard input ends.
import http from 'node:http';
import { ROOT_CONTEXT, defaultTextMapGetter } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { BasicTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';

const exporter = new OTLPTraceExporter({
  url: `${process.env.PARLEY_URL}/v1/traces`, headers: { Authorization: `Bearer ${process.env.PARLEY_KEY}` } });
const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
const tracer = provider.getTracer('agent');
const propagator = new W3CTraceContextPropagator();
const server = http.createServer((request, response) => {
  let body = '';
  request.on('data', (piece) => { body += piece; });
  request.on('end', async () => {
    const turn = JSON.parse(body);
    const parent = propagator.extract(ROOT_CONTEXT, request.headers, defaultTextMapGetter);
    const span = tracer.startSpan('chat', { attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.input.messages': JSON.stringify([{ role: 'user', parts: [{ type: 'text', content: turn.message }] }]),
      'gen_ai.output.messages': JSON.stringify([{ role: 'assistant', parts: [{ type: 'text', content: 'fine' }] }]) } }, parent);
    span.end();
    await provider.forceFlush();
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify({ message: 'fine' }));
  });
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
process.stdin.on('end', () => process.exit(0)).resume();
