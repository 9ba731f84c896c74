import { addDisposeSymbol, nameObjects } from '../basics/prototypes.js';
import { modelText } from '../basics/told.js';
import type { Entry } from '../worker/remote-entry.js';
import type { SentModel } from '../worker/remote-protocol.js';
import type { PoolModel } from './pool-types.js';

/** The caller's side of a model of a pool. */
export function poolModel(entry: Entry, sent: SentModel, dispose: () => void): PoolModel {
  const { opset, inputs, outputs, warnings } = sent;
  for (const list of [inputs, outputs, warnings, ...inputs, ...outputs]) Object.freeze(list);
  const model = {
    ...{ opset, inputs, outputs, warnings },
    toString() {
      return modelText(`PoolModel (opset ${opset})`, inputs, outputs);
    },
    dispose() {
      entry.takesAtMost(0, arguments.length, 'dispose');
      dispose();
    },
  };
  addDisposeSymbol(model, model.dispose);
  nameObjects(model, 'PoolModel');
  return Object.freeze(model) as unknown as PoolModel;
}
