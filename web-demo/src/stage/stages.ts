// Stages: the few fields of a call that the page of an operator opens with. Data; the fields of operators that are not listed
// follow from their rows (own-fields.ts).

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

const dims = (input: number): StageField => ({ id: `input:${input}:dims`, kind: 'dims', input });
const values = (input: number): StageField => ({ id: `input:${input}:values`, kind: 'values', input });
const attribute = (name: string): StageField => ({ id: `attribute:${name}`, kind: 'attribute', name });

const stages: { readonly [operator: string]: readonly StageField[] } = {
  Expand: [dims(0), values(1)],
  ConstantOfShape: [values(0)],
  Shape: [dims(0), attribute('start'), attribute('end')],
};

/** The fields of an operator's stage; undefined for one whose fields follow from its rows. */
export function stageOf(operator: string): readonly StageField[] | undefined {
  return Object.hasOwn(stages, operator) ? stages[operator] : undefined;
}

export const stagedOperators = Object.keys(stages);
