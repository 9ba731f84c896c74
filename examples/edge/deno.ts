// The server for `deno serve`.
import { createHandler } from './classify.js';

const model = await Deno.readFile(new URL('model.onnx', import.meta.url));

export default { fetch: await createHandler(model) } satisfies Deno.ServeDefaultExport;
