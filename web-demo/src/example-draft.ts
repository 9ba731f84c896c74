import type { AttributeDraft, CallDraft, TensorDraft } from './drafts.js';
import {
  type Example,
  type ExampleAttribute,
  type ExampleTensor,
  type FirstCall,
  newestOpset,
  typeRow,
} from './facts.js';

/** Whether one value fills a tensor that is too long to be written out. */
export function isFilled({ data }: ExampleTensor): boolean {
  return data.length > 12 && typeof data[0] === 'number' && data.every((value) => value === data[0]);
}

/** The elements as words that are read back. */
export function wordsOf({ type, data }: ExampleTensor): string[] {
  return data.map((value) => (typeRow(type).kind === 'string' ? JSON.stringify(value) : String(value)));
}

/** An attribute, unless it is a tensor, as a text that is read back. */
export function attributeText(value: Exclude<ExampleAttribute, ExampleTensor>): string {
  if (typeof value !== 'object') return String(value);
  return value.map((one) => (typeof one === 'string' ? JSON.stringify(one) : one)).join(', ');
}

export function isTensor(value: ExampleAttribute): value is ExampleTensor {
  return typeof value === 'object' && 'dims' in value;
}

/** A tensor of an example as something to edit. */
function tensorDraft(tensor: ExampleTensor): TensorDraft {
  const { type, dims, data } = tensor;
  return {
    type,
    dims: dims.join(', '),
    values: isFilled(tensor)
      ? { kind: 'range', start: data[0] as number, step: 0 }
      : { kind: 'text', text: wordsOf(tensor).join(', ') },
  };
}

/** An example as a call to edit. */
export function exampleDraft({
  operator,
  opset = newestOpset,
  inputs,
  attributes,
}: FirstCall & Pick<Example, 'opset'>): CallDraft {
  const attribute = (value: ExampleAttribute): AttributeDraft =>
    isTensor(value) ? { kind: 'tensor', tensor: tensorDraft(value) } : { kind: 'text', text: attributeText(value) };
  return {
    operator,
    opset,
    inputs: inputs.map((input) => input && tensorDraft(input)),
    attributes: Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, attribute(value)])),
  };
}
