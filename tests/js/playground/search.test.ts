// The search for operators.
import { expect, test } from '@jest/globals';
import { operatorWords } from '../../../tools/operator-words.mjs';
import { operatorIndex } from '../../../web-demo/src/facts.js';
import { searchOperators } from '../../../web-demo/src/search.js';

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

test('every operator is the first result for its own name, in any case', () => {
  for (const { name } of operatorIndex) {
    expect(namesFor(name)[0]).toBe(name);
    expect(namesFor(name.toLowerCase())[0]).toBe(name);
  }
});

test('every other name of an operator finds it, and is shown', () => {
  for (const [name, { aliases }] of Object.entries(operatorWords)) {
    for (const alias of aliases) {
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
