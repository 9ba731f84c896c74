// The worker that has the model.
import { restartable } from '../runtime/restartable.js';
import type { Api } from './worker.js';

export { Stopped } from '../runtime/restartable.js';

export const { ask, stopWorker } = restartable<Api>(
  () => new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'models' }),
);
