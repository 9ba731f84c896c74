const batchSize = 64;
const mostSpares = 16;

/**
 * Tensors that keep more bytes are large. So a small tensor that is still held can keep 63 KiB of others in memory that are
 * garbage; docs/guides/memory.md tells it.
 */
export const largeBytes = 1024;

/** Runs the work of a finalizer, where nobody could catch an error. If a trap ended the runtime just now, its next call fails. */
export function finalize(free: () => void): void {
  try {
    free();
  } catch {
    // Nothing is left to free.
  }
}

/** The handles of some tensors, each at its own place; 0 once its owner has freed it. */
export interface Batch {
  readonly handles: number[];
  /** Whether the batch is for one large tensor. */
  readonly large: boolean;
}

/**
 * The safety net under tensors that nobody disposed of: when JavaScript has collected them, their memory is freed.
 * To register every tensor for finalization would cost several times as much as a small operator call, so small tensors are
 * registered by the batch. Every tensor keeps its batch alive. When the last one is gone, the tensors that were not disposed of
 * are freed. A large tensor has a batch of its own. A tensor that is disposed of leaves its place to the next one: a program that
 * disposes of all tensors never registers another batch.
 */
export class Batches {
  readonly #registry: FinalizationRegistry<number[]>;
  #open: Batch;
  readonly #spares: Batch[] = []; // batches that large tensors left

  constructor(free: (handle: number) => void) {
    this.#registry = new FinalizationRegistry((handles) => {
      finalize(() => {
        for (const handle of handles) if (handle !== 0) free(handle);
      });
    });
    this.#open = this.#make(false);
  }

  /** The batch for a new tensor, which keeps the batch alive and takes the place after its last one. */
  batchFor(large: boolean): Batch {
    if (large) return this.#spares.pop() ?? this.#make(true);
    if (this.#open.handles.length === batchSize) this.#open = this.#make(false);
    return this.#open;
  }

  /** Forgets a handle: its owner has freed it, and lets go of the batch. */
  leave(batch: Batch, place: number): void {
    const { handles, large } = batch;
    handles[place] = 0;
    while (handles.length > 0 && handles[handles.length - 1] === 0) handles.pop();
    if (large && this.#spares.length < mostSpares) this.#spares.push(batch);
  }

  #make(large: boolean): Batch {
    const batch = { handles: [], large };
    this.#registry.register(batch, batch.handles);
    return batch;
  }
}
