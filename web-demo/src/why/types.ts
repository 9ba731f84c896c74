// Refused element types: those that the operator takes in the place.
import type { DataType } from 'broadloom';
import type { CallDraft, TensorDraft } from '../drafts.js';
import { operatorOf, typeRow, typeRows, versionOf } from '../facts.js';
import { withInput } from '../inputs.js';
import { inputNamed, withDraft } from './call-parts.js';
import type { Mend, TypesReason } from './reason.js';

/** The types that are offered first. */
const usual: readonly DataType[] = ['float32', 'int64', 'int32', 'uint8', 'bool', 'float64'];

/** The tensor with another type; undefined where its values may not fit that. */
function withType(draft: TensorDraft, type: DataType): TensorDraft | undefined {
  const { values } = draft;
  const { kind } = typeRow(type);
  if (values.kind !== 'text') return { ...draft, type };
  const text = values.text.replace(/\bTrue\b/gi, '1').replace(/\bFalse\b/gi, '0');
  const isWhole = /^[\d\s,[\]-]*$/.test(text);
  if (/["']/.test(text)) return undefined;
  if (kind === 'unsigned_integer' && (!isWhole || text.includes('-'))) return undefined;
  if (kind === 'signed_integer' && !isWhole) return undefined;
  const words = kind === 'boolean' ? text.replace(/-?[\d.]+/g, (word) => (Number(word) === 0 ? '0' : '1')) : text;
  return { ...draft, type, values: { kind: 'text', text: words } };
}

/** The input with a name, or the first one of a type where a variadic input stands for several. */
function placeOf(call: CallDraft, name: string, type: string): number {
  const named = inputNamed(call, name);
  return named >= 0 && call.inputs[named]?.type === type ? named : call.inputs.findIndex((one) => one?.type === type);
}

function reasonOf(
  call: CallDraft,
  { name, given, allowed }: { name: string; given: string; allowed: readonly string[] },
  change: (input: number, draft: TensorDraft) => CallDraft,
): TypesReason {
  const input = placeOf(call, name, given);
  const draft = call.inputs[input];
  const types = usual.filter((type) => allowed.includes(type));
  const offered = types.length > 0 ? types : typeRows.map((row) => row.name).filter((type) => allowed.includes(type));
  const mends = offered.slice(0, 2).flatMap((type): Mend[] => {
    const next = draft && withType(draft, type);
    return next ? [{ name: (t) => t.use1(type), call: change(input, next) }] : [];
  });
  return { kind: 'types', given, allowed, says: (t) => t.type(name, given), mends };
}

/** A type that no input of this name may have. */
export function typeReason(call: CallDraft, message: string): TypesReason | undefined {
  const [, name, given, list] = /input '(\w+)' cannot be (\w+);.* Allowed: ([\w ]+)$/.exec(message) ?? [];
  const operator = operatorOf(call.operator);
  const version = operator && versionOf(operator, call.opset);
  if (!name || !given || !list || !version) return undefined;
  // Other inputs of the same type constraint get it, too.
  return reasonOf(call, { name, given, allowed: list.split(' ') }, (input, draft) => {
    const next = withInput(call, version, input, draft);
    const inputs = next.inputs.map((one, i) => {
      const before = call.inputs[i];
      return i !== input && one && before && one.type !== before.type ? (withType(before, one.type) ?? one) : one;
    });
    return { ...next, inputs };
  });
}

/** A type that another input does not have. */
export function mixedReason(call: CallDraft, message: string): TypesReason | undefined {
  const [, name, given, other] = /input '(\w+)' is (\w+), but another input of type \w+ is (\w+)/.exec(message) ?? [];
  if (!name || !given || !other) return undefined;
  const reason = reasonOf(call, { name, given, allowed: [other] }, (input, draft) => withDraft(call, input, draft));
  return { ...reason, says: (t) => t.mixed(name, given, other) };
}
