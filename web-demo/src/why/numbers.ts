// Refused calls whose reason is a number: a shape that the elements do not fill, an index or an axis that is not there.
import type { CallDraft } from '../drafts.js';
import {
  dimsOf,
  givenInputs,
  inputNamed,
  integerOf,
  listOf,
  numbersOf,
  productOf,
  withAttribute,
  withNumbers,
} from './call-parts.js';
import type { FactorsReason, Mend, RulerReason } from './reason.js';

/** The shape with the sizes that a 0 takes from the input. */
function sizesOf(call: CallDraft, dims: readonly number[], shape: readonly number[]): number[] | undefined {
  const keepsZeros = integerOf(call, 'allowzero', 0) !== 0;
  const sizes = shape.map((size, i) => (size === 0 && !keepsZeros ? dims[i] : size));
  return sizes.some((size) => size === undefined) ? undefined : (sizes as number[]);
}

/** The divisors of a number next to another one, below and above it. */
export function divisorsNear(count: number, size: number): number[] {
  const all = Array.from({ length: Math.min(count, 4096) }, (_, i) => i + 1).filter((one) => count % one === 0);
  const [below, above] = [all.findLast((one) => one < size), all.find((one) => one > size)];
  return [below, above].filter((one) => one !== undefined);
}

/** Shapes near the one that is wanted which have as many elements as there are. */
function shapesNear(shape: readonly number[], sizes: readonly number[], count: number): number[][] {
  const open = shape.indexOf(-1);
  if (open < 0) {
    const places = sizes.map((_, i) => i).toReversed();
    return places.flatMap((i) => {
      const others = productOf(sizes.toSpliced(i, 1));
      return others > 0 && count % others === 0 ? [shape.with(i, -1)] : [];
    });
  }
  return sizes.flatMap((size, i) => {
    const others = productOf(sizes.filter((_, j) => j !== i && j !== open));
    if (i === open || others === 0 || count % others !== 0) return [];
    return divisorsNear(count / others, size).map((one) => shape.with(i, one));
  });
}

/** Reshape: the sizes multiply to another number than there are elements. */
export function reshapeReason(call: CallDraft): FactorsReason | undefined {
  const [data] = givenInputs(call);
  const shape = listOf(call.inputs[1]);
  const sizes = data && shape && sizesOf(call, data.dims, shape);
  if (data === undefined || shape === undefined || sizes === undefined) return undefined;
  if (shape.filter((size) => size === -1).length > 1 || sizes.some((size) => size < -1)) return undefined;
  const count = productOf(data.dims);
  const isOpen = shape.includes(-1);
  const others = productOf(sizes.filter((size) => size !== -1));
  const lists = count === 0 ? [] : [...shapesNear(shape, sizes, count).slice(0, 2), [-1]];
  return {
    kind: 'factors',
    count,
    factors: sizes,
    says: (t) => (isOpen ? t.notDivisible(count, others) : t.otherCount(count, others)),
    mends: lists.map((list): Mend => ({ name: (t) => t.use(list), call: withNumbers(call, 1, list) })),
  };
}

const clamp = (value: number, from: number, to: number): number => Math.min(Math.max(value, from), to);

/** An index that an axis does not have. */
export function indexReason(call: CallDraft, message: string): RulerReason | undefined {
  const found =
    /index (-?\d+) at \[[^\]]*\] of indices is out of bounds: axis (\d+) of \[[^\]]*\] takes (-?\d+) to (-?\d+)/.exec(
      message,
    );
  if (found === null) return undefined;
  const [at, axis, from, to] = found.slice(1).map(Number) as [number, number, number, number];
  const input = inputNamed(call, 'indices');
  const indices = listOf(call.inputs[input]);
  const [data] = givenInputs(call);
  const isTuples = call.operator.endsWith('ND');
  const length = dimsOf(call.inputs[input])?.at(-1) ?? 1;
  const first = isTuples ? integerOf(call, 'batch_dims', 0) : axis;
  const sizeAt = (i: number): number => data?.dims[isTuples ? first + (i % length) : axis] ?? 0;
  const clamped = indices?.map((index, i) => clamp(index, -sizeAt(i), sizeAt(i) - 1));
  const near = clamp(at, from, to);
  return {
    ...{ kind: 'ruler', from, to, at },
    says: (t) => t.index(at, axis, to + 1),
    mends: clamped && to >= 0 ? [{ name: (t) => t.clamp(near), call: withNumbers(call, input, clamped) }] : [],
  };
}

/** RoiAlign and MaxRoiPool: a region of an image that is not there. */
export function regionReason(call: CallDraft, message: string): RulerReason | undefined {
  const [at, count] = (/is one of image (-?\d+), but there are (\d+)/.exec(message) ?? []).slice(1).map(Number);
  const input = inputNamed(call, 'batch_indices');
  const images = listOf(call.inputs[input]);
  if (at === undefined || count === undefined || count === 0) return undefined;
  const near = images?.map((image) => clamp(image, 0, count - 1));
  return {
    ...{ kind: 'ruler', from: 0, to: count - 1, at },
    says: (t) => t.image(at, count),
    mends: near ? [{ name: (t) => t.use(near), call: withNumbers(call, input, near) }] : [],
  };
}

/** The list without what is the same axis, counted from the start or from the end. */
function differentAxes(axes: readonly number[], rank: number): number[] {
  const placeOf = (axis: number): number => (axis < 0 ? axis + rank : axis);
  return axes.filter((axis, i) => axes.findIndex((other) => placeOf(other) === placeOf(axis)) === i);
}

/** An axis that a tensor does not have. */
export function axisReason(call: CallDraft, message: string): RulerReason | undefined {
  const found = /'?(\w+)'? is (-?\d+), which is not an axis of .*: wanted (-?\d+) to (-?\d+)/.exec(message);
  if (found === null) return undefined;
  const name = found[1] as string;
  const [at, from, to] = found.slice(2).map(Number) as [number, number, number];
  const draft = call.attributes[name];
  const input = inputNamed(call, name);
  const absent = draft === undefined && input < 0 ? [to] : undefined; // the default has the axis
  const given = draft?.kind === 'text' ? numbersOf(draft.text) : (absent ?? listOf(call.inputs[input]));
  const axes =
    given &&
    differentAxes(
      given.map((axis) => clamp(axis, from, to)),
      to + 1,
    );
  const mends: Mend[] = axes
    ? [
        {
          name: (t) => (axes.length === 1 ? t.set(name, String(axes[0])) : t.use(axes)),
          call: draft || absent ? withAttribute(call, name, axes.join(', ')) : withNumbers(call, input, axes),
        },
      ]
    : [];
  return { ...{ kind: 'ruler', from, to, at }, says: (t) => t.axis(name, at, to + 1), mends };
}
