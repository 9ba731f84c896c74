const batchSize = 64;

/** The place of one tensor in a batch; as long as any tensor of the batch lives, so does the batch. */
export interface Slot {
  readonly batch: { readonly handles: number[] };
  readonly index: number;
}

/**
 * The safety net under tensors that nobody disposed of: when JavaScript has collected them, their memory is freed.
 * Registering every tensor for finalization would cost several times what a small operator call does, so small tensors
 * are registered by the batch: when the last tensor of a batch is gone, those that were not disposed of are freed.
 */
export class Batches {
  readonly #registry: FinalizationRegistry<number[]>;
  #open: Slot['batch'] | undefined;

  constructor(free: (handle: number) => void) {
    this.#registry = new FinalizationRegistry((handles) => {
      for (const handle of handles) if (handle !== 0) free(handle);
    });
  }

  /** Watches over the owner of a handle, who keeps the slot. One that is `large` has a batch of its own. */
  add(handle: number, large: boolean): Slot {
    let batch = large ? undefined : this.#open;
    if (batch === undefined) {
      batch = { handles: [] };
      this.#registry.register(batch, batch.handles);
      if (!large) this.#open = batch;
    }
    const index = batch.handles.push(handle) - 1;
    if (index + 1 === batchSize) this.#open = undefined;
    return { batch, index };
  }

  /** Forgets a handle: its owner has freed it. */
  static remove(slot: Slot): void {
    slot.batch.handles[slot.index] = 0;
  }
}
