// onnxruntime-node in a process of its own, since some models end it: gets { file, list }, and sends what `ask` in oracle.mjs gives.
import { createRequire } from 'node:module';
import { join } from 'node:path';

const ort = createRequire(join(import.meta.dirname, '../differential/package.json'))('onnxruntime-node');
const options = { graphOptimizationLevel: 'disabled', logSeverityLevel: 4, interOpNumThreads: 1, intraOpNumThreads: 1 };

async function ask({ file, list }) {
  let session;
  try {
    session = await ort.InferenceSession.create(file, options);
    const all = [];
    for (const feeds of list) {
      const given = session.inputNames.map((name) => {
        const { type, data, dims } = feeds[name];
        return [name, new ort.Tensor(type, data, dims)];
      });
      const results = Object.entries(await session.run(Object.fromEntries(given)));
      all.push(
        Object.fromEntries(results.map(([name, { type, dims, data }]) => [name, { type, dims: [...dims], data }])),
      );
    }
    return { all };
  } catch (error) {
    return { failure: error.message, isOpen: session !== undefined };
  } finally {
    await session?.release();
  }
}

process.on('message', async (question) => process.send(await ask(question)));
