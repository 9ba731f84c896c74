// The presets of an operator: calls that teach something each, from its file in data/operators.
import { defaultDraft } from '../default-draft.js';
import type { CallDraft } from '../drafts.js';
import { exampleDraft } from '../example-draft.js';
import { newestOpset, operatorOf, type Preset, playOf } from '../facts.js';
import { callToLink } from '../link.js';
import { firstCall } from './calls.js';
import { withRange } from './curve-call.js';

function draftOf(operator: string, preset: Preset): CallDraft {
  if ('first' in preset) return firstCall(operator);
  if ('inputs' in preset) {
    const { opset, inputs, attributes = {} } = preset;
    return exampleDraft({ operator, name: '', inputs, attributes, ...(opset !== undefined && { opset }) });
  }
  const first = defaultDraft(operator, newestOpset);
  const type = preset.type ?? first.inputs[0]?.type ?? 'float32';
  const { attributes } = preset;
  const given = attributes === undefined ? {} : exampleDraft({ operator, name: '', inputs: [], attributes }).attributes;
  return withRange({ ...first, attributes: { ...first.attributes, ...given } }, type, preset);
}

const known = new Map<string, readonly CallDraft[]>();

/** The calls of the presets of an operator, in their order; the same objects every time. */
export function presetCalls(operator: string): readonly CallDraft[] {
  const calls = known.get(operator) ?? (playOf(operator).presets ?? []).map((preset) => draftOf(operator, preset));
  if (operatorOf(operator) !== undefined) known.set(operator, calls);
  return calls;
}

/** The number of the preset that a call is; -1 for a call of one's own. */
export function presetOf(call: CallDraft): number {
  return presetCalls(call.operator).findIndex((one) => one === call || callToLink(one) === callToLink(call));
}
