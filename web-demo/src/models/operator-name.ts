import type { ModelNode } from 'broadloom';

/** The operator with its domain, as it is known outside its model. */
export function operatorName({ domain, operator }: ModelNode): string {
  return domain === '' || domain === 'ai.onnx' ? operator : `${domain}.${operator}`;
}
