import type { Memory } from './memory.js';

/** What {@link Runtime.memory} tells. */
export interface MemoryUse {
  /** Tensors that were made and not yet disposed of. */
  readonly liveTensors: number;
  /** Bytes of all tensors, those that models hold included. Tensors that share bytes count once. */
  readonly bytesInUse: number;
  /**
   * Bytes in which models keep values between nodes during runs: one block for each model that has run, as large as its largest
   * run needed. It is part of `bytesInUse`, and goes with the model, or when memory is short.
   */
  readonly planBytes: number;
  /** Bytes of the wasm memory. It grows when needed and never shrinks. */
  readonly heapBytes: number;
}

/** @internal */
export function readMemoryUse(memory: Memory): MemoryUse {
  memory.check(memory.glue.memoryUse());
  return {
    liveTensors: memory.take(),
    bytesInUse: memory.take(),
    planBytes: memory.take(),
    heapBytes: memory.heapBytes,
  };
}
