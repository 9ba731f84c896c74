// The worker for Cloudflare with traces, in place of worker.js. An isolate may end after any response, so each one sends its spans.
import { createHandler } from './classify.js';
import model from './model.onnx';
import { flush } from './sdk.js';
import * as telemetry from './telemetry.js';

const handle = await createHandler(new Uint8Array(model), { telemetry });

export default {
  async fetch(request, _, host) {
    const response = await handle(request);
    host.waitUntil(flush());
    return response;
  },
};
