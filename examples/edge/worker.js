// The worker for Cloudflare. Its global scope runs before the first request, with a limit of its own: a request pays for itself alone.
import { createHandler } from './classify.js';
import model from './model.onnx';

export default { fetch: await createHandler(new Uint8Array(model)) };
