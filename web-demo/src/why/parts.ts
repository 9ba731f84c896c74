// Refused parts of an axis: sizes that do not sum up to it, blocks that do not fill it, repeats and pads that it cannot have.
import type { CallDraft } from '../drafts.js';
import { givenInputs, inputNamed, listOf, numbersOf, withAttribute, withDims, withNumbers } from './call-parts.js';
import { divisorsNear } from './numbers.js';
import type { AxesReason, Mend, RulerReason } from './reason.js';

/** The list as an attribute, in old versions, or as an input. */
function listNamed(call: CallDraft, name: string): readonly number[] | undefined {
  const draft = call.attributes[name];
  return draft?.kind === 'text' ? numbersOf(draft.text) : listOf(call.inputs[inputNamed(call, name)]);
}

function mendOf(call: CallDraft, name: string, list: readonly number[]): Mend {
  const isAttribute = call.attributes[name] !== undefined;
  return {
    name: (t) => t.use(list),
    call: isAttribute ? withAttribute(call, name, list.join(', ')) : withNumbers(call, inputNamed(call, name), list),
  };
}

/** Split: sizes of parts that sum up to another number than the axis has. */
export function splitReason(call: CallDraft, message: string): AxesReason | undefined {
  const [sum, size] = (/sum up to (\d+), but the axis has size (\d+)/.exec(message) ?? []).slice(1).map(Number);
  const [input] = givenInputs(call);
  const parts = listNamed(call, 'split');
  if (sum === undefined || size === undefined || input === undefined || parts === undefined) return undefined;
  let left = size;
  const fitting = parts.map((part, i) => {
    const own = i === parts.length - 1 ? left : Math.min(part, left);
    left -= own;
    return own;
  });
  return {
    kind: 'axes',
    aligned: 'start',
    rows: [
      { label: input.name, dims: [size], lit: [0] },
      { label: parts.join(' + '), dims: [sum], lit: [0] },
    ],
    says: (t) => t.partsSum(sum, size),
    mends: [mendOf(call, 'split', fitting)],
  };
}

/** Tile: another number of repeats than there are axes. */
export function tileReason(call: CallDraft): AxesReason | undefined {
  const [input] = givenInputs(call);
  const repeats = listNamed(call, 'repeats');
  if (input === undefined || repeats === undefined) return undefined;
  const { name, dims } = input;
  const ones: number[] = Array.from({ length: Math.max(0, dims.length - repeats.length) }, () => 1);
  const lists =
    ones.length > 0
      ? [
          [...ones, ...repeats],
          [...repeats, ...ones],
        ]
      : [repeats.slice(repeats.length - dims.length), repeats.slice(0, dims.length)];
  const different = lists.filter((list, i) => i === 0 || String(list) !== String(lists[0]));
  const [fewer, more] = [repeats.length, dims.length].toSorted((a, b) => a - b) as [number, number];
  const lit = ({ length }: readonly number[]): number[] =>
    length === more ? Array.from({ length: more - fewer }, (_, i) => i) : [];
  return {
    kind: 'axes',
    aligned: 'end',
    rows: [
      { label: name, dims, lit: lit(dims) },
      { label: 'repeats', dims: repeats, lit: lit(repeats) },
    ],
    says: (t) => t.repeats(name, dims.length, repeats.length),
    mends: dims.length === 0 ? [] : different.map((list) => mendOf(call, 'repeats', list)),
  };
}

/** The axes of an image, as messages name them. */
const imageAxes = ['images', 'channels', 'rows', 'columns'];

/** DepthToSpace and SpaceToDepth: an axis that blocks do not fill. */
export function blocksReason(call: CallDraft, message: string): AxesReason | undefined {
  const [, count, named, of] = /has (\d+) (\w+), which is not a multiple of (\d+)/.exec(message) ?? [];
  const axis = imageAxes.indexOf(named ?? '');
  const [input] = givenInputs(call);
  if (axis < 0 || input?.dims[axis] !== Number(count)) return undefined;
  const [size, step] = [Number(count), Number(of)];
  const near = [Math.ceil(size / step) * step, Math.floor(size / step) * step].filter((one) => one > 0);
  return {
    kind: 'axes',
    aligned: 'start',
    rows: [{ label: input.name, dims: input.dims, lit: [axis] }],
    says: (t) => t.multiple(axis, size, step),
    mends: near.map((one) => {
      const dims = input.dims.with(axis, one);
      return { name: (t) => t.useDims(input.name, dims), call: withDims(call, input.input, dims) };
    }),
  };
}

/** GroupNormalization: channels that do not make so many groups. */
export function groupsReason(call: CallDraft, message: string): AxesReason | undefined {
  const [groups, channels] = (/is (\d+), which does not divide (\d+) channels/.exec(message) ?? [])
    .slice(1)
    .map(Number);
  const [input] = givenInputs(call);
  if (groups === undefined || channels === undefined || input === undefined) return undefined;
  return {
    kind: 'axes',
    aligned: 'start',
    rows: [
      { label: input.name, dims: [channels], lit: [0] },
      { label: 'num_groups', dims: [groups], lit: [0] },
    ],
    says: (t) => t.groups(channels, groups),
    mends: divisorsNear(channels, groups).map((one) => ({
      name: (t) => t.set('num_groups', String(one)),
      call: withAttribute(call, 'num_groups', String(one)),
    })),
  };
}

/** Pad: a mirror, or the other end, that has fewer elements than are wanted of it. */
export function padReason(call: CallDraft, message: string): RulerReason | undefined {
  const [axis, size, before, behind] = (/axis (\d+) has (\d+) indices to pad by (\d+) and (\d+)/.exec(message) ?? [])
    .slice(1)
    .map(Number);
  const [input] = givenInputs(call);
  const draft = call.attributes.mode;
  const isMirror = draft?.kind === 'text' && draft.text === 'reflect';
  if (axis === undefined || size === undefined || before === undefined || behind === undefined) return undefined;
  if (input === undefined || !isMirror || size === 0) return undefined;
  const pads = listNamed(call, 'pads');
  const rank = input.dims.length;
  // With axes of its own, a list of pads has other places.
  const isWhole = pads?.length === 2 * rank;
  const fitting = pads?.map((pad, i) => Math.min(pad, Math.max(0, (input.dims[i % rank] ?? 1) - 1)));
  return {
    ...{ kind: 'ruler', from: 0, to: size - 1, at: Math.max(before, behind) },
    says: (t) => t.mirror(axis, size),
    mends: [
      ...(isWhole && fitting ? [mendOf(call, 'pads', fitting)] : []),
      {
        name: (t) => t.set('mode', 'edge'),
        call: { ...call, attributes: { ...call.attributes, mode: { kind: 'text', text: 'edge' } } },
      },
    ],
  };
}
