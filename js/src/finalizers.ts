const batchSize = 64;

/** The handles of some tensors, each at its own place; 0 once its owner has freed it. */
export interface Batch {
  readonly handles: number[];
}

/**
 * The safety net under tensors that nobody disposed of: when JavaScript has collected them, their memory is freed.
 * Registering every tensor for finalization would cost several times what a small operator call does, so small tensors
 * are registered by the batch: every tensor keeps its batch alive, and when the last of them is gone, those that were
 * not disposed of are freed.
 */
export class Batches {
  readonly #registry: FinalizationRegistry<number[]>;
  #open: Batch;

  constructor(free: (handle: number) => void) {
    this.#registry = new FinalizationRegistry((handles) => {
      for (const handle of handles) if (handle !== 0) free(handle);
    });
    this.#open = this.#make();
  }

  /** The batch for a new tensor: one of its own if it is `large`. */
  batchFor(large: boolean): Batch {
    if (large) return this.#make();
    if (this.#open.handles.length === batchSize) this.#open = this.#make();
    return this.#open;
  }

  #make(): Batch {
    const batch = { handles: [] };
    this.#registry.register(batch, batch.handles);
    return batch;
  }
}
