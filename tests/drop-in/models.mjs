// Small models that sessions of several onnxruntimes take.
import {
  externalInitializer,
  initializer,
  input,
  integerAttribute,
  model,
  node,
  output,
} from '../../tools/models/writer.mjs';

/** y = x + 1 and rows = the first size of x. */
export const addOne = model('add one', [
  node('Add', 'add', ['x', 'one'], ['y']),
  node('Shape', 'rows', ['x'], ['rows'], [integerAttribute('end', 1)]),
  initializer('one', [1], [1]),
  input('x', 'float32', ['rows', 3, null]),
  output('y', 'float32', ['rows', 3, null]),
  output('rows', 'int64', [1]),
]);

/** z = the sums of texts' places: strings, bool and float16 pass through. */
export const passed = model('passed', [
  node('Identity', 'a', ['text'], ['same']),
  node('Identity', 'b', ['half'], ['half too']),
  node('Not', 'c', ['flag'], ['other']),
  input('text', 'string', ['n']),
  input('half', 'float16', ['n']),
  input('flag', 'bool', []),
  output('same', 'string', ['n']),
  output('half too', 'float16', ['n']),
  output('other', 'bool', []),
]);

/** y = x * w, whose elements are in the file weights.bin. */
export const externalWeights = model('external', [
  node('Mul', 'mul', ['x', 'w'], ['y']),
  externalInitializer('w', [2], 'float32', { location: 'weights.bin', offset: 0, length: 8 }),
  input('x', 'float32', [2]),
  output('y', 'float32', [2]),
]);
export const weights = new Uint16Array(Float32Array.of(2, 3).buffer);

/** One element, as often as `size` says, twice. */
export const expanded = model('expanded', [
  node('Expand', 'a', ['x', 'size'], ['y']),
  node('Expand', 'b', ['x', 'size'], ['z']),
  input('x', 'float32', [1]),
  input('size', 'int64', [1]),
  output('y', 'float32', ['n']),
  output('z', 'float32', ['n']),
]);

/** The larger ones of int16, for which onnxruntime has no kernel. */
export const largerOfInt16 = model('int16', [
  node('Max', 'max', ['a', 'b'], ['c']),
  input('a', 'int16', [2]),
  input('b', 'int16', [2]),
  output('c', 'int16', [2]),
]);

/** A model of operators of com.microsoft that Broadloom lacks, with two inputs each. */
export const foreign = (...operators) =>
  model(
    'foreign',
    [
      ...operators.map((operator, i) => node(operator, `n${i}`, ['x', 'x'], [`y${i}`], [], 'com.microsoft')),
      input('x', 'float32', [2, 2]),
      ...operators.map((_, i) => output(`y${i}`, 'float32', [2, 2])),
    ],
    ['com.microsoft'],
  );

/** Nodes called by an escape of terminals, and by a number. */
export const oddNodes = model('odd nodes', [
  node('MatMul', 'a\x1b[31m', ['x', 'x'], ['a']),
  node('Neg', '1', ['a'], ['y']),
  input('x', 'float32', ['n', 'n']),
  output('y', 'float32', ['n', 'n']),
]);

/** An output that is called as what objects inherit from. */
export const oddOutput = model('odd output', [
  node('Neg', 'a', ['x'], ['__proto__']),
  input('x', 'float32', ['n']),
  output('__proto__', 'float32', ['n']),
]);

/** An input of that name. */
export const oddInput = model('odd input', [
  node('Neg', 'a', ['__proto__'], ['y']),
  input('__proto__', 'float32', ['n']),
  output('y', 'float32', ['n']),
]);

/** A size that has the name of an exporter for any that it does not know. */
export const numberedSize = model('numbered size', [
  node('Neg', 'a', ['x'], ['y']),
  input('x', 'float32', ['unk__7']),
  output('y', 'float32', ['unk__7']),
]);

/** y = x + w, whose w has a default. */
export const withDefault = model('default', [
  node('Add', 'a', ['x', 'w'], ['y']),
  initializer('w', [1], [10]),
  input('x', 'float32', ['n']),
  input('w', 'float32', [1]),
  output('y', 'float32', ['n']),
]);
