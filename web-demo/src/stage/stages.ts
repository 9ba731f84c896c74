// Stages: the few fields of a call that the page of an operator opens with, and its presets. Data; the fields of operators that
// are not listed follow from their rows (own-fields.ts).

/**
 * A part of a call that has a field: the dims or the values of an input, or an attribute. Its id equals the id of the field in
 * "Try it".
 */
export type StageField =
  | { readonly id: `input:${number}:dims`; readonly kind: 'dims'; readonly input: number }
  | { readonly id: `input:${number}:values`; readonly kind: 'values'; readonly input: number }
  /** Values and dims as one nested list. */
  | { readonly id: `input:${number}:values`; readonly kind: 'list'; readonly input: number }
  | { readonly id: `attribute:${string}`; readonly kind: 'attribute'; readonly name: string }
  /** A tensor in an attribute, as one nested list. */
  | { readonly id: `attribute:${string}:values`; readonly kind: 'tensor'; readonly name: string };

export interface Stage {
  readonly fields: readonly StageField[];
  /** The texts of the fields, by the name of the preset. The first one is what the operator's default call holds. */
  readonly presets: { readonly [name: string]: readonly string[] };
}

const dims = (input: number): StageField => ({ id: `input:${input}:dims`, kind: 'dims', input });
const values = (input: number): StageField => ({ id: `input:${input}:values`, kind: 'values', input });
const attribute = (name: string): StageField => ({ id: `attribute:${name}`, kind: 'attribute', name });

const stages: { readonly [operator: string]: Stage } = {
  Expand: {
    fields: [dims(0), values(1)],
    presets: {
      bothWays: ['3, 1', '2, 1, 6'],
      row: ['1, 4', '3, 4'],
      scalar: ['', '2, 3'],
      larger: ['3, 4', '1'],
      refused: ['3, 4', '2, 4'],
    },
  },
  ConstantOfShape: {
    fields: [values(0)],
    presets: { block: ['4, 3, 2'], scalar: [''], empty: ['4, 0'], huge: ['100000, 100000'], refused: ['2, -1'] },
  },
  Shape: {
    fields: [dims(0), attribute('start'), attribute('end')],
    presets: {
      all: ['2, 3', '', ''],
      last: ['2, 3, 4', '-1', ''],
      middle: ['2, 3, 4', '1', '2'],
      scalar: ['', '', ''],
      empty: ['2, 3, 4', '2', '1'],
    },
  },
};

export function stageOf(operator: string): Stage | undefined {
  return Object.hasOwn(stages, operator) ? stages[operator] : undefined;
}

export const stagedOperators = Object.keys(stages);
