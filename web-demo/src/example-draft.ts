import type { AttributeDraft, CallDraft, TensorDraft } from './drafts.js';
import { type Example, type ExampleTensor, newestOpset } from './facts.js';

/** A tensor of an example as something to edit. */
function tensorDraft({ type, dims, data }: ExampleTensor): TensorDraft {
  const [first = 0] = data;
  const isFilled = data.length > 12 && data.every((value) => value === first);
  return {
    type,
    dims: dims.join(', '),
    values: isFilled ? { kind: 'range', start: first, step: 0 } : { kind: 'text', text: data.join(', ') },
  };
}

/** A documented example as a call to edit. */
export function exampleDraft({ operator, inputs, attributes }: Example): CallDraft {
  const attribute = (value: number | ExampleTensor): AttributeDraft =>
    typeof value === 'number' ? { kind: 'text', text: String(value) } : { kind: 'tensor', tensor: tensorDraft(value) };
  return {
    operator,
    opset: newestOpset,
    inputs: inputs.map(tensorDraft),
    attributes: Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, attribute(value)])),
  };
}
