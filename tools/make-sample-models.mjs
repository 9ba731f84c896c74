// Writes the models that the playground's page "Models" offers, field by field: web-demo/public/samples/*.onnx. The files
// are committed; a test checks that they are what this makes.
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  graphAttribute,
  input,
  integerAttribute,
  model,
  node,
  output,
  tensor,
  tensorAttribute,
} from './model-writer.mjs';

const folder = new URL('../web-demo/public/samples/', import.meta.url);
/** The files by name. */
export function sampleModels() {
  return {
    'zeros-like.onnx': model('zeros_like', [
      node('Shape', 'take_shape', ['x'], ['shape']),
      node('ConstantOfShape', 'fill', ['shape'], ['zeros'], [tensorAttribute('value', tensor([1], [0]))]),
      input('x', 'float32', ['rows', 'columns']),
      output('zeros', 'float32', ['rows', 'columns']),
    ]),
    'expand-like.onnx': model('expand_like', [
      node('Shape', 'take_shape', ['like'], ['shape']),
      node('Expand', 'broadcast', ['x', 'shape'], ['y']),
      input('x', 'float32', ['rows', 1]),
      input('like', 'float32', ['batch', 'rows', 'columns']),
      output('y', 'float32', ['batch', 'rows', 'columns']),
    ]),
    'batch-bias.onnx': model('batch_bias', [
      node('Constant', 'weights', [], ['bias'], [tensorAttribute('value', tensor([4], [0.5, -1, 0.25, 2]))]),
      node('Shape', 'batch_and_one', ['x'], ['batch_by_one'], [integerAttribute('end', 2)]),
      node('Expand', 'repeat', ['bias', 'batch_by_one'], ['rows']),
      node('Identity', 'result', ['rows'], ['biases']),
      input('x', 'float32', ['batch', 1, 'length']),
      output('biases', 'float32', ['batch', 4]),
    ]),
    'keep-or-clear.onnx': model('keep_or_clear', [
      node(
        'If',
        'choose',
        ['keep'],
        ['y'],
        [
          graphAttribute('then_branch', [
            node('Identity', 'keep_it', ['x'], ['kept']),
            output('kept', 'float32', ['rows', 'columns']),
          ]),
          graphAttribute('else_branch', [
            node('Shape', 'take_shape', ['x'], ['shape']),
            node('ConstantOfShape', 'fill', ['shape'], ['zeros'], [tensorAttribute('value', tensor([1], [0]))]),
            output('zeros', 'float32', ['rows', 'columns']),
          ]),
        ],
      ),
      input('x', 'float32', ['rows', 'columns']),
      input('keep', 'bool', []),
      output('y', 'float32', ['rows', 'columns']),
    ]),
    'unsupported-gelu.onnx': model(
      'unsupported_gelu',
      [
        node('Constant', 'weights', [], ['bias'], [tensorAttribute('value', tensor([4], [0.5, -1, 0.25, 2]))]),
        node('BiasGelu', 'activation', ['x', 'bias'], ['activated'], [], 'com.microsoft'),
        node('Shape', 'take_shape', ['activated'], ['shape']),
        node('ConstantOfShape', 'mask', ['shape'], ['ones'], [tensorAttribute('value', tensor([1], [1]))]),
        input('x', 'float32', ['batch', 4]),
        output('activated', 'float32', ['batch', 4]),
        output('ones', 'float32', ['batch', 4]),
      ],
      ['com.microsoft'],
    ),
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  mkdirSync(folder, { recursive: true });
  for (const [name, content] of Object.entries(sampleModels())) writeFileSync(new URL(name, folder), content);
}
