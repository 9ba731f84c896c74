import { OnnxError } from '../basics/error.js';
import { noBytes } from '../basics/file-bytes.js';
import { checkedOptions } from '../basics/names.js';
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
