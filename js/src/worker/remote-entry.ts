import { OnnxError } from '../basics/error.js';
import { noBytes } from '../basics/file-bytes.js';
import { checkedOptions } from '../basics/names.js';
import { flagAgainst } from '../basics/permission.js';
import { takesAtMost } from '../basics/superfluous.js';
import { bytesOf } from '../basics/typed-arrays.js';
import { wasmForWorkers } from '../hosts/default-wasm.js';
import { startWorker } from '../hosts/default-worker.js';
import { modelOptions, runOptions } from '../model/options.js';
import { loadOptions, moduleOf } from '../runtime/load.js';
import { simplifyOptions } from '../simplify/simplify.js';
import { noTensor } from '../tensor/elements.js';
import { isTensor } from '../tensor/tensor.js';

/** Given to remote.js by the entry, so that errors are of the class that the caller knows. */
export const entry = {
  OnnxError,
  bytesOf,
  checkedOptions,
  isTensor,
  loadOptions,
  modelOptions,
  moduleOf,
  noBytes,
  noTensor,
  runOptions,
  simplifyOptions,
  startWorker,
  takesAtMost,
  wasmForWorkers,
};

/** @internal */
export type Entry = typeof entry;

/** The code of workers' callers, which is loaded when it is first wanted. @internal */
export function remoteOf(method: string): Promise<typeof import('../entries/remote.js')> {
  return import('../entries/remote.js').catch((cause) => {
    const flag = flagAgainst(cause);
    const advice = flag ? `: start Node with ${flag}` : '';
    const text = `${method}: no remote.js beside the script (${cause?.message})${advice}`;
    throw new OnnxError('INVALID_ARGUMENT', text, { cause });
  });
}
