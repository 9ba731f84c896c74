// The fields of a call that are shown at once, and those behind "More".
import type { CallDraft } from '../drafts.js';
import type { CallReport } from '../runtime/protocol.js';
import { isOptional, ownFields, rowOf } from './own-fields.js';
import { type StageField, stageOf } from './stages.js';

export interface FoldedFields {
  readonly shown: readonly StageField[];
  readonly more: readonly StageField[];
}

/** The fields of the operator that is shown which stand there at once: a field does not go while its text is emptied. */
let seen: { readonly operator: string; readonly ids: Set<string> } = { operator: '', ids: new Set() };

/** Whether a call has something in the place of a field, or needs it. */
function isNeeded(call: CallDraft, field: StageField): boolean {
  if ('name' in field) return Object.hasOwn(call.attributes, field.name) || rowOf(call, field)?.required === true;
  return Boolean(call.inputs[field.input]) || !isOptional(call, field.input);
}

/**
 * Shown are inputs and attributes that are given or needed, and attributes that would change the result.
 *
 * @param isHeld - whether somebody is in a field that is folded: none of them moves then
 */
export function foldedFields(call: CallDraft, report: CallReport | undefined, isHeld: boolean): FoldedFields {
  const fields = stageOf(call.operator);
  if (fields !== undefined) return { shown: fields, more: [] };
  if (seen.operator !== call.operator) seen = { operator: call.operator, ids: new Set() };
  const own = ownFields(call, report?.outputs[0]?.type);
  const hasEffect = (field: StageField): boolean =>
    'name' in field && report !== undefined && (report.effects?.includes(field.name) ?? true);
  for (const field of own) {
    if (!isHeld && (isNeeded(call, field) || hasEffect(field))) seen.ids.add(field.id);
  }
  const shown = own.filter(({ id }) => seen.ids.has(id));
  return { shown, more: own.filter((field) => !shown.includes(field)) };
}
