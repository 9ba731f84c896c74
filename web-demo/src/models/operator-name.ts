import type { ModelNode } from 'broadloom';
import { visible } from '../../../shared/visible.js';

/** The operator with its domain, as it is known outside its model. */
export function operatorName({ domain, operator }: Pick<ModelNode, 'domain' | 'operator'>): string {
  return visible(domain === '' || domain === 'ai.onnx' ? operator : `${domain}.${operator}`);
}
