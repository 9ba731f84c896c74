// Which of the attributes that a call leaves out matter to it: found by calls that give them other values.
import type { AttributeRow, Attributes, AttributeValue, OperatorVersion, Tensor } from 'broadloom';

/** Calls with more elements are not made again. */
const mostElements = 4096;

/** The lengths of lists that attributes of images and of axes have. */
const lengths = [1, 2, 3, 4, 6];

const listsOf = (values: readonly number[]): number[][] =>
  values.flatMap((value) => lengths.map((length) => Array.from({ length }, () => value)));

/** Values that the attribute may have in the place of its default. */
function othersOf({ type, choices, isDataType, default: value }: AttributeRow): readonly AttributeValue[] {
  switch (type) {
    case 'INT':
      return isDataType ? [1, 7, 11] : [1, 0, 2, -1, 3].filter((one) => one !== Number(value));
    case 'FLOAT':
      return [0.5, 2, 0, -1].filter((one) => one !== Number(value));
    case 'STRING':
      return (choices ?? []).filter((one) => one !== value);
    case 'INTS':
      return listsOf([2, 1, 0]);
    case 'FLOATS':
      return listsOf([0.5, 2]);
    default:
      return [];
  }
}

const textOf = (tensors: readonly Tensor[]): string => JSON.stringify(tensors);

/** The names of the attributes that matter; undefined for a large call. Call it in a scope. */
export function effectsOf(
  { attributes: rows }: OperatorVersion,
  given: Attributes,
  inputs: readonly (Tensor | null)[],
  outputs: readonly Tensor[],
  run: (attributes: Attributes) => Tensor[],
): readonly string[] | undefined {
  const isLarge = [...inputs, ...outputs].some((tensor) => (tensor?.size ?? 0) > mostElements);
  if (isLarge) return undefined;
  const before = textOf(outputs);
  const changes = (name: string, value: AttributeValue): boolean => {
    try {
      const results = run({ ...given, [name]: value });
      return results.some(({ size }) => size > mostElements) || textOf(results) !== before;
    } catch {
      return false;
    }
  };
  return rows
    .filter((row) => !Object.hasOwn(given, row.name) && othersOf(row).some((value) => changes(row.name, value)))
    .map(({ name }) => name);
}
