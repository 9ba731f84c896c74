// The server for `deno serve`.
import { createHandler } from './classify.js';
import * as telemetry from './telemetry.js';

const model = await Deno.readFile(new URL('model.onnx', import.meta.url));

export default { fetch: await createHandler(model, { telemetry }) } satisfies Deno.ServeDefaultExport;
