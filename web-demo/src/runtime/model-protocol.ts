// The messages between the page "Models" and the worker.
import type { Model, ModelNode } from 'broadloom';
import type { TensorReport, Times } from './protocol.js';

/** A graph that was read. */
export interface ModelReport {
  readonly ok: true;
  readonly opset: Model['opset'];
  readonly inputs: Model['inputs'];
  readonly outputs: Model['outputs'];
  readonly warnings: Model['warnings'];
  readonly nodes: readonly ModelNode[];
  /** Bytes of the file. */
  readonly size: number;
}

/** The outputs of a graph. */
export interface RunReport extends Times {
  readonly ok: true;
  readonly outputs: readonly TensorReport[];
}
