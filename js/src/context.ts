import { invalidArgument } from './error.js';
import { Batches } from './finalizers.js';
import type { Memory } from './memory.js';
import { show, tagOf } from './show.js';
import { endScopeOf, isTensor, newTensor, type Tensor } from './tensor.js';
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
    const heldBytes = memory.take();
    const tensor = newTensor(this, handle, dtype, heldBytes, takeDims(memory));
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
    let kept = new Set<unknown>();
    this.scope = made;
    try {
      const result = work();
      const then = (result as { then?: unknown } | undefined)?.then;
      if (typeof then === 'function') {
        // What it still does fails, since its tensors are freed now: that is told here, once.
        then.call(result, undefined, () => {});
        throw invalidArgument('scope: the function returned a promise; a scope ends when its function returns');
      }
      kept = reachable(result);
      return result;
    } finally {
      this.scope = outer;
      for (const tensor of made) {
        if (kept.has(tensor)) outer?.push(tensor);
        else endScopeOf(tensor);
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

/** All that can be reached from what a scope returns through arrays, objects, maps and sets. */
function reachable(result: unknown): Set<unknown> {
  const found = new Set<unknown>([result]);
  // A set takes what is added while it is walked: no recursion, however deep the value is.
  for (const value of found) {
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value) || isTensor(value)) continue;
    const tag = tagOf(value);
    const parts =
      tag === 'Map'
        ? [...(value as Map<unknown, unknown>)].flat()
        : tag === 'Set'
          ? (value as Set<unknown>)
          : Object.values(value);
    for (const part of parts) if (typeof part === 'object') found.add(part);
  }
  return found;
}
