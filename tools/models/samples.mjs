// Writes the models that the playground's pages "Models" and "Simplify" offer, field by field: web-demo/public/samples/*.onnx
// and web-demo/public/simplify/*.onnx. The files are committed; a test checks that they are what this makes. The package has them, too.
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  graphAttribute,
  initializer,
  input,
  integerAttribute,
  integersAttribute,
  model,
  node,
  output,
  tensor,
  tensorAttribute,
} from './writer.mjs';

const folder = new URL('../../web-demo/public/', import.meta.url);

/** The files of the page "Models", by name. */
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
    'edges.onnx': model('edges', [
      node('ReduceMean', 'grey', ['image', 'channels'], ['grey_image']),
      node('Conv', 'slopes', ['grey_image', 'sobel'], ['across_and_down'], [integersAttribute('pads', [1, 1, 1, 1])]),
      node('Mul', 'square', ['across_and_down', 'across_and_down'], ['squares']),
      node('ReduceSum', 'add', ['squares', 'channels'], ['sums']),
      node('Sqrt', 'root', ['sums'], ['lengths']),
      node('Clip', 'limit', ['lengths', 'black', 'white'], ['edges']),
      initializer('channels', [1], [1], 'int64'),
      initializer('sobel', [2, 1, 3, 3], [-1, 0, 1, -2, 0, 2, -1, 0, 1, -1, -2, -1, 0, 0, 0, 1, 2, 1]),
      initializer('black', [], [0]),
      initializer('white', [], [1]),
      input('image', 'float32', [1, 3, 'height', 'width']),
      output('edges', 'float32', [1, 1, 'height', 'width']),
    ]),
    'loudness.onnx': model('loudness', [
      node('Mul', 'square', ['samples', 'samples'], ['powers']),
      node(
        'AveragePool',
        'windows',
        ['powers'],
        ['means'],
        [integersAttribute('kernel_shape', [400]), integersAttribute('strides', [160])],
      ),
      node('Sqrt', 'root', ['means'], ['loudness']),
      input('samples', 'float32', [1, 1, 'length']),
      output('loudness', 'float32', [1, 1, 'windows']),
    ]),
    'unsupported-gelu.onnx': model(
      'unsupported_gelu',
      [
        node('Constant', 'weights', [], ['bias'], [tensorAttribute('value', tensor([4], [0.5, -1, 0.25, 2]))]),
        node('BiasSplitGelu', 'activation', ['x', 'bias'], ['activated'], [], 'com.microsoft'),
        node('Shape', 'take_shape', ['activated'], ['shape']),
        node('ConstantOfShape', 'mask', ['shape'], ['ones'], [tensorAttribute('value', tensor([1], [1]))]),
        input('x', 'float32', ['batch', 4]),
        output('activated', 'float32', ['batch', 2]),
        output('ones', 'float32', ['batch', 2]),
      ],
      ['com.microsoft'],
    ),
  };
}

/** Numbers that are not all the same, but the same every time. */
const weights = (count) => Array.from({ length: count }, (_, i) => ((i * 7) % 11) / 16 - 0.3125);

/** The files of the page "Simplify", by name. */
export function simplifyModels() {
  const shared = (name, dims) => initializer(name, dims, weights(dims.reduce((product, dim) => product * dim, 1)));
  const reduced = (operator, branch) =>
    graphAttribute(branch, [
      node(operator, `${operator}_features`, ['features', 'last_axis'], [`${branch}_score`]),
      output(`${branch}_score`, 'float32', ['batch', 1]),
    ]);
  return {
    'parts.onnx': model('parts', [
      node('Conv', 'convolve', ['image', 'kernel'], ['convolved'], [integersAttribute('pads', [1, 1, 1, 1])]),
      node('BatchNormalization', 'normalize', ['convolved', 'scale', 'shift', 'mean', 'variance'], ['normal']),
      node('Relu', 'activate', ['normal'], ['active']),
      // The target of a Reshape, as exporters write it.
      node('Shape', 'take_shape', ['active'], ['shape']),
      node('Gather', 'take_batch', ['shape', 'first'], ['count'], [integerAttribute('axis', 0)]),
      node('Unsqueeze', 'as_list', ['count', 'front'], ['counts']),
      node('Concat', 'make_target', ['counts', 'rest'], ['target'], [integerAttribute('axis', 0)]),
      node('Reshape', 'flatten', ['active', 'target'], ['features']),
      // A choice that an input makes.
      node('Equal', 'wants_mean', ['mode', 'first'], ['is_mean']),
      node(
        'If',
        'choose',
        ['is_mean'],
        ['score'],
        [reduced('ReduceMean', 'then_branch'), reduced('ReduceMax', 'else_branch')],
      ),
      // A loop of three turns.
      node(
        'Loop',
        'halve',
        ['turns', '', 'score'],
        ['decayed'],
        [
          graphAttribute('body', [
            node('Identity', 'go_on', ['condition'], ['condition_after']),
            node('Mul', 'halve_once', ['value', 'half'], ['value_after']),
            input('turn', 'int64', []),
            input('condition', 'bool', []),
            input('value', 'float32', ['batch', 1]),
            output('condition_after', 'bool', []),
            output('value_after', 'float32', ['batch', 1]),
          ]),
        ],
      ),
      // Zeros of the shape of another value.
      node('Shape', 'take_shape_again', ['score'], ['score_shape']),
      node('ConstantOfShape', 'fill', ['score_shape'], ['zeros'], [tensorAttribute('value', tensor([1], [0]))]),
      node('Add', 'add_zeros', ['decayed', 'zeros'], ['sum']),
      node('Dropout', 'drop', ['sum'], ['kept']),
      node('Identity', 'result', ['kept'], ['y']),
      shared('kernel', [4, 3, 3, 3]),
      ...['scale', 'shift', 'mean'].map((name) => shared(name, [4])),
      initializer('variance', [4], [1, 2, 0.5, 4]),
      initializer('first', [], [0], 'int64'),
      initializer('front', [1], [0], 'int64'),
      initializer('rest', [1], [256], 'int64'),
      initializer('last_axis', [1], [1], 'int64'),
      initializer('turns', [], [3], 'int64'),
      initializer('half', [], [0.5]),
      input('image', 'float32', ['batch', 3, 8, 8]),
      input('mode', 'int64', []),
      output('y', 'float32', ['batch', 1]),
      output('features', 'float32', ['batch', 256]),
    ]),
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [part, files] of Object.entries({ samples: sampleModels(), simplify: simplifyModels() })) {
    const target = new URL(`${part}/`, folder);
    mkdirSync(target, { recursive: true });
    for (const [name, content] of Object.entries(files)) writeFileSync(new URL(name, target), content);
  }
}
