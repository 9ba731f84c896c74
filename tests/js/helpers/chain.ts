import { GraphBuilder } from '../../../tools/models/graph-builder.mjs';

/** A model of x (float32 [N]) through `count` nodes Abs. */
export function chain(count: number): Uint8Array<ArrayBuffer> {
  const g = new GraphBuilder(18);
  g.input('x', 'float32', ['N']);
  let at = 'x';
  for (let i = 0; i < count; i++) at = g.op('Abs', [at]);
  g.output(at, 'float32', ['N']);
  return g.model('chain');
}
