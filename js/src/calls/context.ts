import { invalidArgument } from '../basics/error.js';
import { Batches } from '../basics/finalizers.js';
import { show, tagOf } from '../basics/show.js';
import { endScopeOf, isAlive, isTensor, newTensor, type Tensor } from '../tensor/tensor.js';
import { dtypeOfId } from '../tensor/types.js';
import type { Memory } from './memory.js';

const longScope = 1024;

/** The options of `load` that calls look at. */
export interface CallOptions {
  readonly opset?: number | undefined;
  readonly onRun?: Context['onRun'];
}

/** The state that the tensors, models and calls of one runtime share. */
export class Context {
  readonly memory: Memory;
  /** The opset of calls that name none. */
  readonly opset: number;
  /** The option `onRun`, which takes the events of model/run-events.ts. */
  readonly onRun: ((event: never) => void) | undefined;
  readonly batches: Batches;
  /** The numbers of the operators that were called, by name. */
  readonly operatorNumbers = new Map<string, number>();
  /** The tensors made in the innermost open scope. */
  scope: Tensor[] | undefined;
  #fullScope = longScope; // how many tensors the list has when the disposed ones are taken out

  constructor(memory: Memory, opset: number, onRun: Context['onRun']) {
    this.memory = memory;
    this.opset = opset;
    this.onRun = onRun;
    this.batches = new Batches((handle) => memory.glue.disposeTensor(handle));
  }

  /** The next tensor of a call's results, as an object of the user's. */
  takeTensor(): Tensor {
    const memory = this.memory;
    const handle = memory.take();
    const dtype = dtypeOfId(memory.take());
    const heldBytes = memory.take();
    const tensor = newTensor(this, handle, dtype, heldBytes, takeDims(memory));
    if (this.scope !== undefined) this.#addToScope(tensor, this.scope);
    return tensor;
  }

  /** A long loop in a scope may dispose of all that it makes: the list must not keep it. */
  #addToScope(tensor: Tensor, scope: Tensor[]): void {
    if (scope.length >= this.#fullScope) {
      const alive = scope.filter(isAlive);
      scope.length = 0;
      for (const one of alive) scope.push(one);
      this.#fullScope = Math.max(longScope, 2 * alive.length);
    }
    scope.push(tensor);
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

  /** Runs `work` and disposes of the tensors that were made in it, except those that it returns. */
  runScope<R>(work: () => R): R {
    if (typeof work !== 'function') throw invalidArgument(`scope: ${show(work)} is not a function`);
    const outer = this.scope;
    const fullOuter = this.#fullScope;
    this.#fullScope = longScope;
    const made: Tensor[] = [];
    let kept = new Set<unknown>();
    this.scope = made;
    try {
      const result = work();
      if (/^(Async)?Generator$/.test(tagOf(result)))
        throw invalidArgument('scope: the function is a generator; its body would run after the scope has ended');
      const then = (result as { then?: unknown } | undefined)?.then;
      if (typeof then === 'function') {
        // The rest of its work fails, since its tensors are freed now: that is told here, once.
        then.call(result, undefined, () => {});
        throw invalidArgument('scope: the function returned a promise; a scope ends when its function returns');
      }
      kept = reachable(result);
      return result;
    } finally {
      this.scope = outer;
      this.#fullScope = fullOuter;
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
    for (const part of [...Object.values(value), ...entriesOf(value)]) if (typeof part === 'object') found.add(part);
  }
  return found;
}

/** Keys and values of a map, values of a set, by their own account; nothing of other objects, whatever tag they have. */
function entriesOf(value: object): unknown[] {
  const entries: unknown[] = [];
  const add = (item: unknown, key: unknown) => entries.push(item, key);
  const tag = tagOf(value);
  try {
    if (tag === 'Map') Map.prototype.forEach.call(value as Map<unknown, unknown>, add);
    if (tag === 'Set') Set.prototype.forEach.call(value as Set<unknown>, add);
  } catch {
    // The value has the tag of a Map or a Set, and is neither.
  }
  return entries;
}
