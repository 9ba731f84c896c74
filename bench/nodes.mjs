// The time of a node in a planned run besides its kernel: a chain of nodes that compute one element each.
import { GraphBuilder } from '../tools/models/graph-builder.mjs';
import { median } from './statistics.mjs';

const count = 200;
const one = (g) => g.weight('w', [1, 1], Buffer.from(Float32Array.of(1).buffer));

// Each reads its input in a way that fuses no two nodes.
const kinds = {
  Add: (g, x) => g.op('Add', [x, x]),
  CumSum: (g, x) => g.op('CumSum', [x, g.int(0)]),
  Softmax: (g, x) => g.op('Softmax', [x], { axis: -1 }),
  ReduceMean: (g, x) => g.op('ReduceMean', [x], { axes: [1] }),
  MatMul: (g, x) => g.op('MatMul', [x, one(g)]),
  Gemm: (g, x) => g.op('Gemm', [x, one(g), one(g)], { transB: 1 }),
};

/** A call that runs a model of `nodes` nodes. */
function runOf(runtime, make, nodes) {
  const g = new GraphBuilder(17);
  let x = g.input('x', 'float32', [1, 1]);
  for (let i = 0; i < nodes; i++) x = make(g, x);
  g.op('Identity', [x], {}, ['y']);
  g.output('y', 'float32', [1, 1]);
  const model = runtime.loadModel(g.model('nodes'));
  const feeds = { x: runtime.tensor('float32', [0], [1, 1]) };
  return () => model.run(feeds).y.dispose();
}

function nanosecondsOf(run, times) {
  const start = performance.now();
  for (let i = 0; i < times; i++) run();
  return ((performance.now() - start) * 1e6) / times;
}

/** [{ operator, nanoseconds }]: what a node adds to a run. */
export function measureNodes(runtime, rounds) {
  return Object.entries(kinds).map(([operator, make]) => {
    const [many, few] = [count + 1, 1].map((nodes) => runOf(runtime, make, nodes));
    for (const run of [many, few]) nanosecondsOf(run, 500);
    const samples = Array.from({ length: rounds }, () => (nanosecondsOf(many, 200) - nanosecondsOf(few, 200)) / count);
    return { operator, nanoseconds: median(samples) };
  });
}
