// Spans of OpenTelemetry, where its API is installed. They go wherever the SDK or the host sends them; without either there are none.
// The file is the same in examples/edge and examples/next.

const api = await import('@opentelemetry/api').catch(() => undefined);
const tracer = api?.trace.getTracer('broadloom');
const header = { get: (headers, name) => headers.get(name) ?? undefined, keys: (headers) => [...headers.keys()] };

/** Others count as one, since strangers may send any word. */
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE', 'PATCH'];

/**
 * Answers a request within a span. Its parent is the span that the host has made of the request, otherwise the sender's, which the
 * header `traceparent` names.
 *
 * @param route - the path that the program knows; undefined for others
 * @param answer - a function of the request to a promise of the response
 */
export async function traced(request, route, answer) {
  if (!api) return answer(request);
  const { context, propagation, SpanKind, trace } = api;
  const active = context.active();
  const isInner = trace.getSpan(active) !== undefined;
  const parent = isInner ? active : propagation.extract(active, request.headers, header);
  const method = methods.includes(request.method) ? request.method : '_OTHER';
  const { pathname, protocol } = new URL(request.url);
  const attributes = {
    'http.request.method': method,
    'url.path': pathname,
    'url.scheme': protocol.slice(0, -1),
    ...(route && { 'http.route': route }),
  };
  const name = `${method === '_OTHER' ? 'HTTP' : method} ${route ?? ''}`.trim();
  const kind = isInner ? SpanKind.INTERNAL : SpanKind.SERVER;
  return tracer.startActiveSpan(name, { kind, attributes }, parent, async (span) => {
    try {
      const response = await answer(request);
      span.setAttribute('http.response.status_code', response.status);
      if (response.status >= 500) fail(span, { code: `${response.status}` });
      return response;
    } catch (error) {
      fail(span, error);
      throw error;
    } finally {
      span.end();
    }
  });
}

/**
 * A listener for `load({ onRun })`, which makes each run a span within the request's. A run outside of requests has none.
 *
 * @param model - its name in the span
 */
export const spansOf = (model) => api && ((event) => addRun(model, event));

function addRun(model, { nodes, microseconds, bytes, error }) {
  if (!api.trace.getActiveSpan()) return;
  const end = Date.now(); // the event comes right after the run
  const attributes = { 'broadloom.model': model, 'broadloom.nodes': nodes, 'broadloom.memory.bytes': bytes };
  if (error?.limit) attributes['broadloom.limit'] = error.limit;
  const span = tracer.startSpan(`run ${model}`, { startTime: end - microseconds / 1000, attributes });
  if (error) fail(span, error);
  span.end(end);
}

function fail(span, { code, name, message }) {
  span.setAttribute('error.type', `${code || name}`);
  span.setStatus({ code: api.SpanStatusCode.ERROR, message });
}
