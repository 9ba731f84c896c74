// GET /readyz: 200 when the model is open and was run, 503 otherwise. A question opens and runs it, so the next one is answered with 200.
import { server } from '../server.js';
import { traced } from '../telemetry.js';

export const dynamic = 'force-dynamic';

export const GET = (request) => traced(request, '/readyz', answer);

async function answer() {
  if (server.isReady()) return Response.json({ ok: true });
  await server.classify({ data: new Uint8Array(192 * 48 * 3), width: 192, height: 48 });
  return Response.json({ error: 'the model was not open' }, { status: 503, headers: { 'Retry-After': '1' } });
}
