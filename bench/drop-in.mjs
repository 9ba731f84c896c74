// npm run bench:drop-in: the page of @ricky0123/vad-web in Chromium, with onnxruntime-web and with Broadloom in its place: bytes that it
// downloads beside the model, and the time from the navigation to the first probability of speech. Each visit is a browser's first.

import { fileOf } from '../tests/drop-in/bundle.mjs';
import { hear, pageOfBroadloom, pageOfOnnxruntime } from '../tests/drop-in/vad-page.mjs';
import { buildFor } from '../tools/build-for.mjs';

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
const [first] = found.values();
for (const [name, heard] of found) {
  const time = median(heard.map((one) => one.first));
  const share = time / median(first.map((one) => one.first));
  const bytes = heard[0].bytes / first[0].bytes;
  console.log(
    `${name.padEnd(30)} ${heard[0].bytes} bytes (1/${(1 / bytes).toFixed(1)}), first probability after ${time.toFixed(0)} ms (1/${(1 / share).toFixed(1)})`,
  );
}
