// Measured: the call with dims in an array, reading `data`, dispose().
import { readFileSync } from 'node:fs';
import { load } from '../../dist/index.js';
import { fillData, inputData } from '../element-types.mjs';
import { timed } from '../measure.mjs';
import { graphModel } from './onnx-model.mjs';
import { digestOf, outputOf, sampleOf } from './peer.mjs';

/** A separate runtime, so that its memory holds nothing else. */
export const newRuntime = () => load({});

export async function broadloom(ops) {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  return {
    name: 'Broadloom',
    version,
    prepare({ operator, type, inputDims, shape }) {
      const isFill = operator === 'ConstantOfShape';
      const input = isFill
        ? ops.tensor(type, fillData(type), [1])
        : ops.tensor(type, inputData(type, inputDims), inputDims);
      const make = isFill ? () => ops.constantOfShape(shape, { value: input }) : () => ops.expand(input, shape);
      const fill = () => {
        const y = ops.constantOfShape(shape, { value: input });
        const first = y.data[0];
        y.dispose();
        return first;
      };
      const expand = () => {
        const y = ops.expand(input, shape);
        const first = y.data[0];
        y.dispose();
        return first;
      };
      return {
        time: timed(isFill ? fill : expand),
        digest() {
          const y = make();
          const digest = digestOf(y.data);
          y.dispose();
          return digest;
        },
        dispose: () => input.dispose(),
      };
    },
    prepareGraph(item) {
      const model = ops.loadModel(graphModel(item));
      const feeds = Object.entries(item.feeds).map(([name, { type, dims, make }]) => [
        name,
        ops.tensor(type, make(), dims),
      ]);
      const given = Object.fromEntries(feeds);
      const output = outputOf(item);
      const using = (use) => {
        const y = model.run(given)[output];
        const result = use(y.data);
        y.dispose();
        return result;
      };
      return {
        time: timed(() => Number(using((data) => data[0]))),
        digest: () => using(digestOf),
        sample: () => using(sampleOf),
        dispose() {
          model.dispose();
          for (const [, tensor] of feeds) tensor.dispose();
        },
      };
    },
  };
}
