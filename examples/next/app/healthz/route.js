// GET /healthz: the process answers.
import { traced } from '../telemetry.js';

export const dynamic = 'force-dynamic';

export const GET = (request) => traced(request, '/healthz', () => Response.json({ ok: true }));
