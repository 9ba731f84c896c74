// Models that several suites run.
import type { Runtime } from 'broadloom';
import * as proto from '../../../shared/onnx.js';

/** Loads, runs and frees a model; returns the outputs' elements as lists. */
export function results(
  ops: Runtime,
  spec: proto.ModelSpec,
  feeds: { [name: string]: unknown } = {},
): { [name: string]: unknown[] } {
  const model = ops.loadModel(proto.model(spec));
  const outputs = model.run(feeds as never);
  model.dispose();
  const lists = Object.entries(outputs).map(([name, tensor]) => [name, [...tensor.data] as unknown[]] as const);
  for (const tensor of Object.values(outputs)) tensor.dispose();
  return Object.fromEntries(lists);
}

export const f32 = (dims: number[], ...data: number[]) => ({ type: 'float32' as const, dims, data });
export const identity: proto.ModelSpec = {
  nodes: [{ op: 'Identity', inputs: ['x'], outputs: ['y'] }],
  inputs: [proto.value('x', 'float32')],
  outputs: [proto.value('y', 'float32')],
};
