// The search for operators.
import { expect, test } from '@jest/globals';
import { foreignWords, operatorWords } from '../../../tools/operators/words.mjs';
import { foreignIndex, operatorGroups, operatorIndex } from '../../../web-demo/src/facts.js';
import { searchOperators } from '../../../web-demo/src/search.js';
import { announceSeed, someOf } from '../helpers/random.js';

announceSeed('search.test.ts');

const namesFor = (text: string): string[] => searchOperators(text).map(({ name }) => name);

test.each([
  ['np.tile', 'Tile'],
  ['torch.expand', 'Expand'],
  ['broadcast_to', 'Expand'],
  ['np.take_along_axis', 'GatherElements'],
  ['tf.gather_nd', 'GatherND'],
  ['permute', 'Transpose'],
  ['torch.cat', 'Concat'],
  ['astype', 'Cast'],
  ['argsort', 'TopK'],
  ['expand_dims', 'Unsqueeze'],
  ['+', 'Add'],
  ['>=', 'GreaterOrEqual'],
  ['x[::-1]', 'Slice'],
  ['平方根', 'Sqrt'],
  ['转置', 'Transpose'],
  ['切片', 'Slice'],
  ['广播', 'Expand'],
  ['求和', 'ReduceSum'],
  ['矩阵乘法', 'MatMul'],
  ['排序', 'TopK'],
  ['view', 'Reshape'],
  ['cat', 'Concat'],
  ['torch.stack', 'Concat'],
  ['layer_norm', 'LayerNormalization'],
  ['clamp', 'Clip'],
  ['repeat', 'Tile'],
  ['np.clip', 'Clip'],
  ['pad', 'Pad'],
  ['masked_fill', 'Where'],
  ['卷积层', 'Conv'],
  ['卷积', 'Conv'],
  ['池化', 'MaxPool'],
  ['归一化', 'LayerNormalization'],
  ['激活', 'Relu'],
  ['归约', 'ReduceSum'],
  ['量化', 'QuantizeLinear'],
  ['pooling', 'MaxPool'],
  ['convolution', 'Conv'],
  ['lstm', 'LSTM'],
  ['interpolate', 'Resize'],
  ['argmax', 'ArgMax'],
  ['np.cumsum', 'CumSum'],
  ['@', 'MatMul'],
  ['**', 'Pow'],
  ['<<', 'BitShift'],
  ['silu', 'Swish'],
  ['torch.clamp', 'Clip'],
  ['batch norm', 'BatchNormalization'],
  ['torch.nn.LayerNorm', 'LayerNormalization'],
  ['torch.quantize_per_tensor', 'QuantizeLinear'],
])('%s finds %s first', (text, name) => {
  expect(namesFor(text)[0]).toBe(name);
});

test.each([
  ['归一化', ['LayerNormalization', 'BatchNormalization', 'LpNormalization', 'MeanVarianceNormalization']],
  ['激活', ['Relu', 'Gelu', 'Softmax', 'Mish']],
  ['量化', ['QuantizeLinear', 'DequantizeLinear', 'DynamicQuantizeLinear']],
  ['拼接', ['Concat', 'StringConcat']],
  ['池化', ['MaxPool', 'AveragePool', 'GlobalAveragePool']],
  ['sum', ['Sum', 'ReduceSum']],
  ['mean', ['Mean', 'ReduceMean']],
  ['gather', ['Gather', 'GatherElements', 'GatherND']],
])('%s finds all of %j', (text, names) => {
  expect(namesFor(text)).toEqual(expect.arrayContaining(names));
});

test('the best known operators of a group belong to it', () => {
  const groupOf = new Map([...operatorIndex, ...foreignIndex].map(({ name, group }) => [name, group]));
  for (const { name, known = [] } of operatorGroups)
    expect(known.map((one) => groupOf.get(one) ?? one)).toEqual(known.map(() => name));
});

test('Chinese characters are looked for in their order', () => {
  expect(namesFor('转置')).not.toContain('Where');
  expect(namesFor('置转')).toEqual([]);
});

test('every operator is the first result for its own name, in any case', () => {
  for (const { name } of [...operatorIndex, ...foreignIndex]) {
    expect(namesFor(name)[0]).toBe(name);
    expect(namesFor(name.toLowerCase())[0]).toBe(name);
  }
});

test('every other name of an operator finds it, and is shown', () => {
  for (const [name, { aliases }] of Object.entries({ ...operatorWords, ...foreignWords })) {
    for (const alias of someOf(aliases, 4)) {
      const found = searchOperators(alias).find((one) => one.name === name);
      expect([alias, found?.name]).toEqual([alias, name]);
    }
  }
  expect(searchOperators('np.concatenate')[0]).toEqual({ name: 'Concat', alias: 'np.concatenate' });
  expect(searchOperators('Concat')[0]).toEqual({ name: 'Concat', alias: undefined });
});

test('prefixes and typos find operators; other words find nothing', () => {
  expect(namesFor('transp')).toContain('Transpose');
  expect(namesFor('concatenat')).toContain('Concat');
  expect(namesFor('trnaspose')).toContain('Transpose');
  expect(namesFor('zzzz')).toEqual([]);
});

test('other names are in the script of the question', () => {
  const hans = (text: string) => searchOperators(text).filter(({ alias }) => /\p{Script=Han}/u.test(alias ?? ''));
  expect(hans('ReLU')).toEqual([]);
  expect(hans('conv')).toEqual([]);
  expect(hans('卷积').length).toBeGreaterThan(3);
});

test('letters of full width are found', () => {
  expect(searchOperators('ＲｅＬＵ')).toEqual(searchOperators('ReLU'));
});
