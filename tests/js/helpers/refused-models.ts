// Models that loadModel refuses, with their errors.
import type { ErrorCode, Runtime } from 'broadloom';
import * as proto from '../../../shared/onnx.js';
import { expectRefusal } from './runtime.js';

/** The fields of an error besides its code and its message. */
export interface Place {
  operator?: string;
  opset?: number;
  node?: string;
}

export type Case = [what: string, spec: proto.ModelSpec | Uint8Array, place: Place, ...says: string[]];

export function refuseModel(
  ops: Runtime,
  code: ErrorCode,
  spec: proto.ModelSpec | Uint8Array,
  place: Place,
  says: string[],
): void {
  expectRefusal(ops, () => ops.loadModel(spec instanceof Uint8Array ? spec : proto.model(spec)), {
    code,
    ...place,
    says,
  });
}

/** The place of the first node, in the newest opset. */
export const node0 = (operator: string): Place => ({ operator, opset: 25, node: '#0' });
