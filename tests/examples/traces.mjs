// A collector of OpenTelemetry's spans, to which programs send them as JSON, and traces to be their parents.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';

/** A trace that begins at the sender: its ids, and the header that names them. */
export function newTrace() {
  const [traceId, spanId] = [16, 8].map((bytes) => randomBytes(bytes).toString('hex'));
  return { traceId, spanId, headers: { traceparent: `00-${traceId}-${spanId}-01` } };
}

/**
 * Starts a server that takes spans.
 *
 * @returns `environment` for the programs that send them, `lineOf`, and `close`
 */
export async function startCollector() {
  const spans = [];
  const server = createServer(async (request, response) => {
    const bytes = Buffer.concat(await request.toArray());
    const isZipped = request.headers['content-encoding'] === 'gzip';
    const { resourceSpans = [] } = JSON.parse(isZipped ? gunzipSync(bytes) : bytes);
    for (const { resource, scopeSpans } of resourceSpans)
      for (const span of scopeSpans.flatMap((scope) => scope.spans))
        spans.push({ ...span, attributes: { ...valuesOf(resource), ...valuesOf(span) } });
    response.setHeader('Content-Type', 'application/json').end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    environment: {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${server.address().port}`,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_BSP_SCHEDULE_DELAY: '50',
      OTEL_SERVICE_NAME: 'example',
    },
    /** The span of this name in the trace, its parent, and so on to the one whose parent is the sender's, when all have arrived. */
    async lineOf({ traceId, spanId }, name) {
      for (const end = Date.now() + 20_000; Date.now() < end; await setTimeout(20)) {
        const found = spans.filter((span) => span.traceId === traceId);
        const line = [];
        let next = found.find((span) => span.name === name);
        while (next) {
          line.push(next);
          const { parentSpanId } = next;
          if (parentSpanId === spanId) return line;
          next = found.find((span) => span.spanId === parentSpanId);
        }
      }
      throw new Error(`'${name}' does not lead to ${spanId}: ${JSON.stringify(spans)}`);
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** The attributes of a span or of its resource. Deno writes integers as strings, as JSON of protobuf does with 64 bits. */
const valuesOf = ({ attributes }) =>
  Object.fromEntries(
    attributes.map(({ key, value: { intValue, ...other } }) => [key, Number(intValue) || Object.values(other)[0]]),
  );
