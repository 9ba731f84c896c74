// Which operators are functions of one variable, and where to look at them: found by calls, when the site is built.
import type { Attributes, OperatorVersion, Runtime, Tensor } from 'broadloom';
import type { Curve, Example, ExampleTensor } from './src/facts.js';

type Call = Pick<Example, 'operator' | 'inputs' | 'attributes'>;

/** A call of an operator for a list of numbers in the place of its first input, as an array of some dims. */
type Function = (numbers: readonly number[], dims: readonly number[]) => Tensor;

const isNumeric = (type: string): boolean => /^(u?int(8|16|32|64)|b?float(16|32|64))$/.test(type);
const isInteger = (type: string): boolean => type.includes('int');

function functionOf(ops: Runtime, { operator, inputs, attributes }: Call): Function | undefined {
  const [first, ...others] = inputs;
  // Others than single elements have shapes that matter.
  if (!first || !isNumeric(first.type) || others.some((input) => input !== null && input.data.length !== 1)) return;
  const tensorOf = (value: ExampleTensor): Tensor => ops.fromMessage(value);
  const given = Object.entries(attributes).map(([name, value]) => {
    const isTensor = typeof value === 'object' && 'dims' in value;
    return [name, isTensor ? tensorOf(value) : value] as const;
  });
  return (numbers, dims) => {
    const x = ops.fromMessage({ type: first.type, dims, data: numbers });
    const rest = others.map((input) => input && tensorOf(input));
    return ops.run(operator, [x, ...rest], Object.fromEntries(given) as Attributes)[0] as Tensor;
  };
}

/** Whether each element of the result follows from the one in its place alone, and is a number. */
function isPointwise(apply: Function, numbers: readonly number[]): boolean {
  const dims = [2, 3, numbers.length / 6]; // no axis is one element long
  const whole = apply(numbers, dims);
  if (String(whole.dims) !== String(dims) || !isNumeric(whole.type)) return false;
  const texts = (tensor: Tensor): string[] => [...(tensor.data as Iterable<unknown>)].map(String);
  const all = texts(whole);
  if (new Set(all).size < 2) return false;
  return numbers.every((number, i) => {
    const one = apply([number], [1, 1, 1]);
    return one.size === 1 && texts(one)[0] === all[i];
  });
}

const points = 257;
/** Ends are multiples of its inverse. */
const fine = 20;

/** The part of the numbers where the function is finite, and a little more; or all of them. */
function finitePart(apply: Function, from: number, to: number): Curve {
  const step = (to - from) / (points - 1);
  const numbers = Array.from({ length: points }, (_, i) => from + i * step);
  const results = [...(apply(numbers, [1, points]).data as Iterable<number>)].map(Number);
  const [first, last] = [results.findIndex(Number.isFinite), results.findLastIndex(Number.isFinite)];
  if (first < 0 || first === last) return { from, to };
  const down = (end: number): number => Math.floor(end * fine) / fine;
  return {
    from: first === 0 ? from : down((numbers[first] as number) - step),
    to: last === points - 1 ? to : -down(-(numbers[last] as number) - step),
  };
}

/** The range in which the curve of an operator is shown first; undefined for one that is no function of one variable. */
export function curveOf(ops: Runtime, { inputs: rows }: OperatorVersion, call: Call | undefined): Curve | undefined {
  const first = call?.inputs[0];
  if (!call || !first || rows[0]?.option !== 'Single') return undefined;
  return ops.scope(() => {
    const apply = functionOf(ops, call);
    const numbers = isInteger(first.type)
      ? [0, 1, 2, 3, 5, 7, 11, 4, 9, 6, 8, 10]
      : [-2.5, -1, 0.25, 0.5, 1, 3, -3, 0.75, 2, -0.5, 1.5, 2.5];
    try {
      if (apply === undefined || !isPointwise(apply, numbers)) return undefined;
      const data = first.data.map(Number).filter(Number.isFinite);
      const least = first.type.startsWith('uint') ? 0 : -4;
      const [from, to] = [Math.min(least, ...data), Math.max(4, ...data)];
      return isInteger(first.type) ? { from, to } : finitePart(apply, from, to);
    } catch {
      return undefined; // it does not take any list of numbers
    }
  });
}
