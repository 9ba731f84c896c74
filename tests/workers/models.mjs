// Models for the tests of workers.
import { GraphBuilder } from '../../tools/models/graph-builder.mjs';
import * as onnx from '../../tools/models/writer.mjs';

/** y = x + 1. */
export const plusOne = new Uint8Array(
  onnx.model('plus_one', [
    onnx.initializer('one', [], [1]),
    onnx.node('Add', 'add', ['x', 'one'], ['y']),
    onnx.input('x', 'float32', ['n']),
    onnx.output('y', 'float32', ['n']),
  ]),
);

/** A Loop that would take years. */
export function endless() {
  const graph = new GraphBuilder(21);
  const body = graph.inner();
  body.input('i', 'int64', []);
  const goesOn = body.input('goes_on', 'bool', []);
  const state = body.input('state', 'float32', [1]);
  const next = body.op('Sin', [state]);
  body.output(body.op('Identity', [goesOn]), 'bool', []);
  body.output(next, 'float32', [1]);
  const count = graph.constant('int64', [], [2 ** 52]);
  const yes = graph.constant('bool', [], [1]);
  const x = graph.input('x', 'float32', [1]);
  graph.output(graph.op('Loop', [count, yes, x], { body }), 'float32', [1]);
  return new Uint8Array(onnx.model('endless', graph.fields()));
}
