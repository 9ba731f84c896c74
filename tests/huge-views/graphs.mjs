// Random models whose feeds are views of up to 2^40 elements.
import { product, Random } from '../differential/values.mjs';
import { oracleOpset } from '../oracle.mjs';
import { generate } from '../support/random-graphs/generator.mjs';
import { write } from '../support/random-graphs/structure.mjs';
import { enlarged, firstOf, hugeSizes, ops } from './calls.mjs';

/** The sizes that a graph names may be wrong for other feeds. */
const withoutDims = ({ dims: _, ...value }) => value;

/** Calls as those of calls.mjs, of whole models. */
export function* graphCalls(seed, count) {
  for (let i = 0; i < count; i++) {
    const random = new Random(seed * 7919 + i);
    const { model, feeds: worlds } = generate(ops, seed + i, oracleOpset);
    const feeds = Object.entries(worlds[0]);
    const sizes = [...new Set(feeds.flatMap(([, { dims }]) => [...dims]))].filter(Boolean);
    if (sizes.length === 0) continue;
    const size = random.pick(sizes);
    const huge = random.pick(hugeSizes);
    const inputs = feeds.map(([name, feed]) => {
      // Expand does not take elements of four bits.
      const isEnlarged = random.chance(0.8) && !/^u?int4$/.test(feed.type);
      const dims = isEnlarged ? enlarged([...feed.dims], size, huge) : [...feed.dims];
      return { name, ...firstOf(feed, dims) };
    });
    if (inputs.some(({ dims }) => product(dims.map((it) => Math.max(it, 1))) >= 2 ** 53)) continue;
    const views = inputs.filter(({ isView }) => isView);
    for (const input of views) input.view = ops.expand(input.tensor, input.dims);
    const { graph } = model;
    const inputsOfAnySize = graph.inputs.map(withoutDims);
    const outputs = graph.outputs.map(withoutDims);
    const { file, external } = write({ ...model, graph: { ...graph, inputs: inputsOfAnySize, outputs, infos: [] } });
    yield {
      text: `graph ${seed + i} of ${inputs.map(({ name, type, dims }) => `${name} ${type} [${dims}]`).join('; ')}`,
      file,
      external,
      feeds: Object.fromEntries(inputs.map(({ name, view, tensor }) => [name, view ?? tensor])),
      inputs: [...inputs, ...views.map(({ view }) => ({ tensor: view }))],
    };
  }
}
