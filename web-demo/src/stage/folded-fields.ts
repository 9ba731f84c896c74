// The fields of a call that are shown at once, and those behind "More attributes".
import type { CallDraft } from '../drafts.js';
import type { CallReport } from '../runtime/protocol.js';
import { ownFields, rowOf } from './own-fields.js';
import { type StageField, stageOf } from './stages.js';

export interface FoldedFields {
  readonly shown: readonly StageField[];
  readonly more: readonly StageField[];
}

/** The attributes of the operator that is shown which have a field at once: a field does not go while its text is emptied. */
let seen: { readonly operator: string; readonly names: Set<string> } = { operator: '', names: new Set() };

/**
 * Shown are inputs, and attributes that are given, that a call needs, or that would change its result.
 *
 * @param isHeld - whether somebody is in a field behind "More attributes": none of them moves then
 */
export function foldedFields(call: CallDraft, report: CallReport | undefined, isHeld: boolean): FoldedFields {
  const fields = stageOf(call.operator);
  if (fields !== undefined) return { shown: fields, more: [] };
  if (seen.operator !== call.operator) seen = { operator: call.operator, names: new Set() };
  const own = ownFields(call, report?.outputs[0]?.type);
  const matters = (field: StageField): boolean => {
    if (!('name' in field)) return true;
    const { name } = field;
    const isNeeded = Object.hasOwn(call.attributes, name) || rowOf(call, field)?.required === true;
    const hasEffect = report !== undefined && (report.effects?.includes(name) ?? true);
    if (!isHeld && (isNeeded || hasEffect)) seen.names.add(name);
    return seen.names.has(name);
  };
  const shown = own.filter(matters);
  return { shown, more: own.filter((field) => !shown.includes(field)) };
}
