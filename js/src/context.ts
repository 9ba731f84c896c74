import { invalidArgument } from './error.js';
import { Batches } from './finalizers.js';
import { type Memory, show } from './memory.js';
import { Tensor } from './tensor.js';
import { dtypeOfId } from './types.js';

/** What the tensors, models and calls of one runtime share. */
export class Context {
  readonly memory: Memory;
  /** The opset of calls that name none. */
  readonly opset: number;
  readonly batches: Batches;
  /** The numbers of the operators that were called, by name. */
  readonly operatorNumbers = new Map<string, number>();
  /** The tensors made in the innermost open scope. */
  scope: Tensor[] | undefined;

  constructor(memory: Memory, opset: number) {
    this.memory = memory;
    this.opset = opset;
    this.batches = new Batches((handle) => memory.glue.disposeTensor(handle));
  }

  /** The next tensor of a call's results, as an object of the user's. */
  takeTensor(): Tensor {
    const memory = this.memory;
    const handle = memory.take();
    const dtype = dtypeOfId(memory.take());
    const tensor = new Tensor(this, handle, dtype, takeDims(memory));
    this.scope?.push(tensor);
    return tensor;
  }

  /** The one tensor of a call's results. */
  takeOne(): Tensor {
    this.memory.take(); // how many there are
    return this.takeTensor();
  }

  /** All tensors of a call's results. */
  takeTensors(): Tensor[] {
    const count = this.memory.take();
    const tensors: Tensor[] = [];
    for (let i = 0; i < count; i++) tensors.push(this.takeTensor());
    return tensors;
  }

  /** The one tensor of a call's results, only as a handle: nothing but the caller will dispose of it. */
  takeHandle(): number {
    this.memory.take();
    return this.memory.take();
  }

  /** Runs `work` and disposes of the tensors that were made in it, but for those that it returns. */
  runScope<R>(work: () => R): R {
    if (typeof work !== 'function') throw invalidArgument(`scope: ${show(work)} is no function`);
    const outer = this.scope;
    const made: Tensor[] = [];
    const kept = new Set<unknown>();
    this.scope = made;
    try {
      const result = work();
      if (typeof (result as { then?: unknown } | undefined)?.then === 'function') {
        throw invalidArgument('scope: the function returned a promise; a scope ends when its function returns');
      }
      keep(result, kept);
      return result;
    } finally {
      this.scope = outer;
      for (const tensor of made) {
        if (kept.has(tensor)) outer?.push(tensor);
        else tensor.dispose();
      }
    }
  }
}

/** Most ranks as literals: engines make these 8 ns faster than an array of a length that is to be filled. */
function takeDims(memory: Memory): number[] {
  const rank = memory.take();
  if (rank === 1) return [memory.take()];
  if (rank === 2) return [memory.take(), memory.take()];
  if (rank === 3) return [memory.take(), memory.take(), memory.take()];
  if (rank === 4) return [memory.take(), memory.take(), memory.take(), memory.take()];
  const dims = new Array<number>(rank);
  for (let i = 0; i < rank; i++) dims[i] = memory.take();
  return dims;
}

/** Finds the tensors in what a scope returns: the value itself, or in arrays and plain objects of it. */
function keep(value: unknown, kept: Set<unknown>): void {
  if (typeof value !== 'object' || value === null || kept.has(value) || ArrayBuffer.isView(value)) return;
  kept.add(value);
  if (!(value instanceof Tensor)) for (const item of Object.values(value)) keep(item, kept);
}
