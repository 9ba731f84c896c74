// The worker that measure.mjs asks for one step after the other. Each request does the next step. After the last step come the
// steps of another runtime, whose code V8 has compiled already.
import { load } from 'broadloom';
import { classify } from 'broadloom/tasks';
import model from './model.onnx';

let ops;
let network;
let x;
let scores;
const steps = {
  'a runtime, from the compiled module': async () => {
    ops = await load({ maximumMemory: 2 ** 24 });
  },
  'the model, opened': () => {
    network = ops.loadModel(new Uint8Array(model));
  },
  'a picture, prepared': () => {
    x = ops.fromImage({ data: new Uint8Array(192 * 48 * 3), width: 192, height: 48 }, ops.presets['ppocr-direction']);
  },
  'the first run': () => {
    [scores] = Object.values(network.run({ x }));
  },
  'the answer, read': () => {
    classify(ops, scores, { labels: ['upright', 'on its head'], activation: 'none' });
  },
  'the second run': () => {
    network.run({ x });
  },
};
let requests = 0;

export default {
  async fetch() {
    // The first request finds out whether the worker is there.
    if (requests++ === 0) return new Response();
    const names = Object.keys(steps);
    const name = names[(requests - 2) % names.length];
    await steps[name]();
    return Response.json({ name, heapBytes: ops.memory().heapBytes });
  },
};
