// The common part of onnxruntime-web and onnxruntime-node. Measured: `run` of a session with a one-node model, created once, with
// the same feeds each time; reading the output's data; dispose().
import { fillData, inputData } from '../element-types.mjs';
import { timedAsync } from '../measure.mjs';
import { constantOfShapeModel, expandModel, graphModel } from './onnx-model.mjs';
import { digestOf, outputOf, packageVersion, sampleOf, Unsupported } from './peer.mjs';

export function onnxruntime(name, { InferenceSession, Tensor }, options) {
  async function newSession(model) {
    try {
      return await InferenceSession.create(model, { ...options, graphOptimizationLevel: 'all', logSeverityLevel: 4 });
    } catch (error) {
      throw new Unsupported(error.message.split('\n')[0]);
    }
  }

  return {
    name,
    version: packageVersion(name),
    async prepare(item) {
      const { operator, type, inputDims, shape } = item;
      const isFill = operator === 'ConstantOfShape';
      const session = await newSession(isFill ? constantOfShapeModel(item, fillData(type)) : expandModel(item));
      const feeds = { shape: new Tensor('int64', BigInt64Array.from(shape, BigInt), [shape.length]) };
      if (!isFill) feeds.x = new Tensor(type, inputData(type, inputDims), inputDims);
      return {
        time: timedAsync(async () => {
          const { y } = await session.run(feeds);
          const first = y.data[0];
          y.dispose();
          return first;
        }),
        async digest() {
          const { y } = await session.run(feeds);
          const digest = digestOf(y.data);
          y.dispose();
          return digest;
        },
        dispose: () => session.release(),
      };
    },
    async prepareGraph(item) {
      const session = await newSession(graphModel(item));
      const feeds = Object.entries(item.feeds).map(([name, { type, dims, make }]) => [
        name,
        new Tensor(type, make(), dims),
      ]);
      const given = Object.fromEntries(feeds);
      const output = outputOf(item);
      const using = async (use) => {
        const y = (await session.run(given))[output];
        const result = use(y.data);
        y.dispose();
        return result;
      };
      return {
        time: timedAsync(async () => Number(await using((data) => data[0]))),
        digest: () => using(digestOf),
        sample: () => using(sampleOf),
        dispose: () => session.release(),
      };
    },
  };
}
