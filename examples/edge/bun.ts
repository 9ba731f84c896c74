// The server for Bun, which serves what a program exports.
import { createHandler } from './classify.js';
import * as telemetry from './telemetry.js';

const model = await Bun.file(new URL('model.onnx', import.meta.url)).bytes();

export default { hostname: '127.0.0.1', fetch: await createHandler(model, { telemetry }) };
