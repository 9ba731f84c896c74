// npm run bench:drop-in: measures the page of @ricky0123/vad-web in Chromium, with onnxruntime-web and with Broadloom in its
// place. It prints the bytes that the page downloads besides the model, and the time to the first probability of speech: from the
// navigation, and from the moment at which vad-web has fetched the model, since no library can speed up the fetch. Each visit is
// a browser's first.

import { fileOf } from '../tests/drop-in/bundle.mjs';
import { hear, pageOfBroadloom, pageOfOnnxruntime } from '../tests/drop-in/vad-page.mjs';
import { buildFor } from '../tools/build/build-for.mjs';

const visits = 7;
const { module: silero } = await buildFor([fileOf('@ricky0123/vad-web/dist/silero_vad_v5.onnx')]);
const pages = {
  'onnxruntime-web': await pageOfOnnxruntime(),
  Broadloom: await pageOfBroadloom(),
  'Broadloom, module for Silero': await pageOfBroadloom(silero),
};
const found = new Map(Object.keys(pages).map((name) => [name, []]));
// In turns, so that all have the same machine.
for (let visit = 0; visit < visits; visit++)
  for (const [name, page] of Object.entries(pages)) found.get(name).push(await hear(page, 1));
const median = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)];
const figures = Array.from(found.values(), (list) => ({
  bytes: list[0].bytes,
  navigation: median(list.map(({ first }) => first)),
  model: median(list.map(({ first, model }) => first - model)),
}));
for (const [i, name] of [...found.keys()].entries()) {
  const part = (figure) => `(1/${(figures[0][figure] / figures[i][figure]).toFixed(1)})`;
  const { bytes, navigation, model } = figures[i];
  console.log(`${name.padEnd(30)} ${bytes} bytes ${part('bytes')}`);
  const times = `${navigation.toFixed(0)} ms ${part('navigation')}, ${model.toFixed(0)} ms ${part('model')} after the model`;
  console.log(`${' '.repeat(30)} first probability after ${times}`);
}
