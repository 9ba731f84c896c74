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

/** A Loop of sines of x, whose number is an input, `count`, where none is given. */
function sines(name, given) {
  const graph = new GraphBuilder(21);
  const body = graph.inner();
  body.input('i', 'int64', []);
  const goesOn = body.input('goes_on', 'bool', []);
  const state = body.input('state', 'float32', ['n']);
  const next = body.op('Sin', [state]);
  body.output(body.op('Identity', [goesOn]), 'bool', []);
  body.output(next, 'float32', ['n']);
  const count = given === undefined ? graph.input('count', 'int64', []) : graph.constant('int64', [], [given]);
  const yes = graph.constant('bool', [], [1]);
  const x = graph.input('x', 'float32', ['n']);
  graph.output(graph.op('Loop', [count, yes, x], { body }, ['y']), 'float32', ['n']);
  return new Uint8Array(onnx.model(name, graph.fields()));
}

/** A model that takes as long as its input `count` says. */
export const counted = () => sines('counted');

/** A model that would take years. */
export const endless = () => sines('endless', 2 ** 52);
