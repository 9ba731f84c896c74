// Refused numbers: below or above what an attribute or an input may be.
import type { CallDraft } from '../drafts.js';
import {
  dimsOf,
  givenInputs,
  inputNamed,
  listOf,
  numbersOf,
  withAttribute,
  withDraft,
  withNumbers,
} from './call-parts.js';
import type { Mend, RulerReason } from './reason.js';

const number = '(-?\\d+(?:\\.\\d+)?)';
const within = new RegExp(`'?(\\w+)'? is ${number}, wanted ${number} to ${number}(?:$|[^\\d.])`);
const atLeast = new RegExp(`'?(\\w+)'? is ${number}, wanted ${number} or more`);
const inList = new RegExp(`'?(\\w+)'? has ${number} at \\d+, wanted ${number} to ${number}`);
const upToSize = /'?(\w+)'? is (-?\d+), wanted 0 to the size of axis (\d+) of \[([\d, ]*)\]/;

/** An open range is drawn this far. */
const openEnd = 6;

/** The call with a number as an attribute, or as an input. */
function withOne(call: CallDraft, name: string, value: number): CallDraft | undefined {
  if (Object.hasOwn(call.attributes, name)) return withAttribute(call, name, String(value));
  const input = call.inputs.findIndex(
    (_, i) => i === inputNamed(call, name) || i === inputNamed(call, name.toUpperCase()),
  );
  const draft = call.inputs[input];
  return draft ? withDraft(call, input, { ...draft, values: { kind: 'text', text: String(value) } }) : undefined;
}

function reasonOf(call: CallDraft, name: string, at: number, from: number, to: number | undefined): RulerReason {
  const near = Math.min(Math.max(at, from), to ?? Number.POSITIVE_INFINITY);
  const mended = withOne(call, name, near);
  const mends: Mend[] = mended ? [{ name: (t) => t.set(name, String(near)), call: mended }] : [];
  return {
    ...{ kind: 'ruler', from, to: to ?? from + openEnd, at, isOpen: to === undefined },
    says: (t) => (to === undefined ? t.atLeast(name, at, from) : t.within(name, at, from, to)),
    mends,
  };
}

/** A number of a list that is an input. */
function listReason(call: CallDraft, [name, at, from, to]: [string, number, number, number]): RulerReason {
  const input = inputNamed(call, name);
  const list = listOf(call.inputs[input])?.map((one) => Math.min(Math.max(one, from), to));
  return {
    ...{ kind: 'ruler', from, to, at },
    says: (t) => t.within(name, at, from, to),
    mends: list
      ? [{ name: (t) => t.clamp(Math.min(Math.max(at, from), to)), call: withNumbers(call, input, list) }]
      : [],
  };
}

export function limitReason(call: CallDraft, message: string): RulerReason | undefined {
  const size = upToSize.exec(message);
  if (size !== null) {
    const [, name = '', at, axis, dims] = size;
    const given = givenInputs(call)[0];
    const sizes = given ? dimsOf(call.inputs[given.input]) : numbersOf(dims);
    return reasonOf(call, name, Number(at), 0, sizes?.[Number(axis)] ?? 0);
  }
  const list = inList.exec(message);
  if (list !== null) return listReason(call, [list[1] ?? '', Number(list[2]), Number(list[3]), Number(list[4])]);
  const both = within.exec(message);
  if (both !== null) return reasonOf(call, both[1] ?? '', Number(both[2]), Number(both[3]), Number(both[4]));
  const least = atLeast.exec(message);
  return least === null ? undefined : reasonOf(call, least[1] ?? '', Number(least[2]), Number(least[3]), undefined);
}
