// From the error of a call and the call itself to the reason that is drawn.
import type { CallDraft, Problem } from '../drafts.js';
import { broadcastReason, expandReason } from './broadcast.js';
import { dimsReason } from './dims.js';
import { limitReason } from './limits.js';
import { concatReason, squeezeReason, transposeReason } from './movement.js';
import { axisReason, indexReason, regionReason, reshapeReason } from './numbers.js';
import { blocksReason, groupsReason, padReason, splitReason, tileReason } from './parts.js';
import { convReason, gemmReason, matMulReason } from './products.js';
import type { Reason } from './reason.js';
import { mixedReason, typeReason } from './types.js';

type Find = (call: CallDraft, message: string) => Reason | undefined;

/** The readers of messages, by what these say; the first one that fits is asked. */
const readers: readonly (readonly [says: RegExp, find: Find])[] = [
  [/cannot reshape/, reshapeReason],
  [/is out of bounds: axis/, indexReason],
  [/which is not an axis of/, axisReason],
  [/cannot squeeze/, squeezeReason],
  [/\bperm\b/, transposeReason],
  [/cannot broadcast .*: axis/, (call) => (call.operator === 'Expand' ? expandReason(call) : undefined)],
  [/cannot multiply|cannot broadcast/, (call) => (call.operator === 'MatMul' ? matMulReason(call) : undefined)],
  [/cannot multiply/, (call) => (call.operator === 'Gemm' ? gemmReason(call) : undefined)],
  [/cannot concatenate|have sizes \d+ and \d+ on axis/, concatReason],
  [/the image has dims .* but weights/, convReason],
  [/cannot broadcast .*: axis \d+ is \d+, wanted \d+/, (call) => broadcastReason(call)],
  [/ cannot be \w+;/, typeReason],
  [/but another input of type/, mixedReason],
  [/sum up to \d+, but the axis has size/, splitReason],
  [/repeats has \d+ entr.*, but input has/, tileReason],
  [/which is not a multiple of/, blocksReason],
  [/which does not divide \d+ channels/, groupsReason],
  [/too few for this mode/, padReason],
  [/is one of image -?\d+, but/, regionReason],
  [/ has dims .*, wanted \[/, dimsReason],
  [/, wanted .* (?:to|or more)/, limitReason],
];

export function whyOf(call: CallDraft, { message, finding }: Problem): Reason | undefined {
  if (finding !== undefined) return undefined;
  for (const [says, find] of readers) {
    const reason = says.test(message) ? find(call, message) : undefined;
    if (reason !== undefined) return reason;
  }
  return undefined;
}
