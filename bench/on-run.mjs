// npm run bench:on-run: what the option onRun adds to a run of a model, where nobody listens and where somebody does. It drowns in the
// noise of whole runs where nobody listens. So the function that asks for listeners (js/src/model/run-events.ts) is also timed alone,
// around work that does next to nothing.
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { load } from '../dist/index.js';
import { duration, table } from './format.mjs';
import { fullEffort, measure, timed } from './measure.mjs';

const entryPoints = [fileURLToPath(new URL('../js/src/model/run-events.ts', import.meta.url))];
const [{ text }] = (await build({ entryPoints, bundle: true, format: 'esm', write: false })).outputFiles;
const { observed } = await import(`data:text/javascript,${encodeURIComponent(text)}`);

/** Functions of different code: no engine compiles them into their caller, as it does not with a run of a model. */
const works = Array.from({ length: 8 }, (_, i) => new Function('i', `return i + ${i};`));
const bare = (i) => works[i & 7](i);
const asked = (context) => (i) => observed(context, context, 1, () => works[i & 7](i));

/** A run of a model of one node with one element. */
async function runOf(options) {
  const ops = await load(options);
  const x = ops.tensor('float32', [1]);
  const model = ops.loadModel(ops.nodeModel('Identity', [x])['model.onnx']);
  const feeds = { input: x };
  return () => {
    model.run(feeds).output.dispose();
    return 1;
  };
}

const events = { count: 0 };
const onRun = ({ microseconds }) => {
  events.count += microseconds > 0;
};
const memory = { heapBytes: 0 };
const effort = { ...fullEffort, sample: 2e6, budget: 2e9, leastRounds: 101, mostRounds: 1001 };
const rows = [];
for (const [name, without, withIt] of [
  ['the function alone, nobody listens', bare, asked({ onRun: undefined, memory })],
  ['the function alone, somebody listens', bare, asked({ onRun, memory })],
  ['model.run of one element, somebody listens', await runOf({}), await runOf({ onRun })],
]) {
  const [subject, limit] = [withIt, without].map((call) => ({ name, time: timed(call) }));
  const { time, limitTime } = await measure({ subject, limit, peers: [] }, effort);
  rows.push([name, duration(limitTime), duration(time), duration(Math.max(time - limitTime, 0))]);
}
if (events.count === 0) throw new Error('on-run: the listener was not called');
console.log(table(['', 'without', 'with', 'adds'], rows));
