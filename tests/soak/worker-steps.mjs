// A runtime in a worker: models are read, run, stopped and ended there, while this one works on.
import { loadInWorker } from '../../dist/node.js';
import { endless } from '../workers/models.mjs';
import { Wrong } from './machine.mjs';
import { randomFeeds, randomModel } from './random-model.mjs';
import { difference } from './values.mjs';

const mostModels = 4;
const noTensors = { liveTensors: 0, bytesInUse: 0 };

const messages = (feeds) =>
  Object.fromEntries(Object.entries(feeds).map(([name, { type, dims, items }]) => [name, { type, dims, data: items }]));

async function run(machine) {
  const { random } = machine;
  machine.worker ??= { remote: await loadInWorker(), models: [] };
  const { remote, models } = machine.worker;
  if (models.length < mostModels && (models.length === 0 || random.oneIn(3))) {
    const spec = randomModel(random);
    models.push({ spec, model: await remote.loadModel(spec.file, { external: spec.files }) });
  }
  const { spec, model } = random.from(models);
  const feeds = random.list(random.between(1, 3), () => randomFeeds(random, spec, random.between(1, 20)));
  // Runs wait for each other.
  const all = await Promise.all(feeds.map((one) => model.run(messages(one))));
  for (const [i, results] of all.entries()) {
    for (const name of spec.outputs) {
      const found = difference(results[name], spec.values.get(name)(feeds[i]));
      if (found !== undefined) throw new Wrong(`'${name}' in the worker: ${found}`);
    }
  }
  if (random.oneIn(4))
    models
      .splice(
        models.findIndex((one) => one.model === model),
        1,
      )[0]
      .model.dispose();
  const { liveTensors, bytesInUse } = await remote.memory();
  if (liveTensors > 0) throw new Wrong(`the worker has ${liveTensors} tensors, ${bytesInUse} bytes`);
}

/** Ends the worker: by a signal in the middle of a run, by terminate, or after all its models were disposed of. */
async function end(machine) {
  if (machine.worker === undefined) return;
  const { remote, models } = machine.worker;
  machine.worker = undefined;
  const { random } = machine;
  if (random.oneIn(2)) {
    for (const { model } of models) model.dispose();
    const { liveTensors, bytesInUse } = await remote.memory();
    if (JSON.stringify({ liveTensors, bytesInUse }) !== JSON.stringify(noTensors))
      throw new Wrong(`the worker keeps ${bytesInUse} bytes`);
    remote.terminate();
    return;
  }
  const model = await remote.loadModel(endless());
  const controller = new AbortController();
  const reason = new Error('enough');
  const running = model.run(
    { x: { type: 'float32', dims: [1], data: Float32Array.of(1) } },
    { signal: controller.signal },
  );
  if (random.oneIn(2)) controller.abort(reason);
  else remote.terminate();
  const error = await running.then(
    () => undefined,
    (caught) => caught,
  );
  if (error !== reason && error?.code !== 'DISPOSED') throw new Wrong(`a run that was stopped gave ${error}`);
  remote.terminate();
}

export const workerSteps = [
  [0.5, 'run in a worker', run],
  [0.03, 'end the worker', end],
];
