// Sends a conversation to POST /v1/traces with the exporter that PARLEY_EXPORTER names (http: JSON, proto: protobuf).
import { SpanKind, context, trace } from '@opentelemetry/api';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { BasicTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';

const Exporter = process.env.PARLEY_EXPORTER === 'proto' ? ProtobufExporter : JsonExporter;
const exporter = new Exporter({
  url: `${process.env.PARLEY_URL}/v1/traces`,
  headers: { Authorization: `Bearer ${process.env.PARLEY_KEY}` },
  compression: process.env.PARLEY_EXPORTER === 'proto' ? 'gzip' : 'none',
});
const results = [];
const watched = {
  export: (spans, done) => exporter.export(spans, (result) => { results.push(result.code); done(result); }),
  shutdown: () => exporter.shutdown(),
};
const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(watched)] });
const tracer = provider.getTracer('shop');
const parts = (role, ...contents) => ({ role, parts: contents });
const text = (content) => ({ type: 'text', content });
const call = { type: 'tool_call', id: 'call_1', name: 'lookup_order', arguments: { id: 42 } };

const asked = parts('user', text('Where is order 42?'));
const agent = tracer.startSpan('invoke_agent shop', { attributes: {
  'gen_ai.operation.name': 'invoke_agent', 'gen_ai.conversation.id': process.env.PARLEY_CONVERSATION } });
const within = trace.setSpan(context.active(), agent);
const chat = (input, output) => {
  const span = tracer.startSpan('chat gpt-5', { kind: SpanKind.CLIENT, attributes: {
    'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'gpt-5', 'gen_ai.usage.input_tokens': 12,
    'gen_ai.conversation.id': process.env.PARLEY_CONVERSATION,
    'gen_ai.input.messages': JSON.stringify(input), 'gen_ai.output.messages': JSON.stringify([output]) } }, within);
  span.end();
};
chat([asked], parts('assistant', call));
const tool = tracer.startSpan('execute_tool lookup_order', { attributes: {
  'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'lookup_order', 'gen_ai.tool.call.id': 'call_1',
  'gen_ai.conversation.id': process.env.PARLEY_CONVERSATION, 'gen_ai.tool.call.result': '{"state":"sent"}' } }, within);
tool.end();
chat([asked, parts('assistant', call), parts('tool', { type: 'tool_call_response', id: 'call_1', response: { state: 'sent' } })],
     parts('assistant', text('It was sent.')));
agent.end();
await provider.forceFlush();
await provider.shutdown();
console.log(JSON.stringify({ trace: agent.spanContext().traceId, results }));
