// What is told about Einsum.
import type { OperatorWords } from './operator-text.js';

export const einsum: OperatorWords = {
  group: 'product',
  aliases: [
    'np.einsum',
    'torch.einsum',
    'tf.einsum',
    'einstein summation',
    'tensordot',
    'outer product',
    'trace',
    'diagonal',
    'contraction',
  ],
  en: {
    summary: 'Multiplies tensors and sums over axes, as an equation of letters says.',
    details: [
      'Each letter names an axis. Those that are missing on the right of -> are summed over: ij,jk->ik multiplies matrices, ij->ji transposes, ij->i adds up rows, i,j->ij is the outer product. A letter that stands twice in one operand takes the diagonal: ii-> is the trace.',
      'Three dots stand for any number of axes, which broadcast. An axis of size 1 is repeated, as in NumPy. Spaces mean nothing; small letters are others than capitals.',
      'Without ->, the result has the axes of the dots, then the letters that occur once, capitals first, in alphabetical order.',
      'Integers wrap around; float16 is computed in float32 and rounded once. Several tensors are multiplied from left to right, and their order may decide how long that takes.',
      'Errors: not as many operands as inputs; not as many letters as axes; sizes of one letter that differ where neither is 1; on the right, a letter twice, or one that no operand has; inputs of two types (use Cast first); bfloat16.',
    ],
    inputs: { Inputs: 'The tensors, any number of them, of one type.' },
    outputs: { Output: 'A tensor of the same type, with the axes on the right of ->.' },
    attributes: {
      equation: 'Letters for the axes of each input, with commas between, then -> and those of the result.',
    },
  },
  zh: {
    summary: '按字母等式把张量相乘，并沿某些轴求和。',
    details: [
      '每个字母代表一个轴，没有出现在 -> 右边的轴会被求和：ij,jk->ik 是矩阵乘法，ij->ji 是转置，ij->i 是按行求和，i,j->ij 是外积。同一个操作数里重复的字母取对角线：ii-> 是迹。',
      '三个点表示任意多个轴，它们可以广播。大小为 1 的轴会被重复，与 NumPy 相同。空格没有意义，大小写字母各不相同。',
      '没有 -> 时，结果先是三个点的轴，然后是只出现一次的字母，大写在前，按字母顺序。',
      '整数溢出时回绕；float16 用 float32 计算，最后舍入一次。多个张量从左到右相乘，顺序可能影响耗时。',
      '以下情况会报错：操作数与输入的个数不同；字母与轴的个数不同；同一字母的大小不同且都不是 1；右边的字母重复，或不在任何操作数中；输入的元素类型不同（请先用 Cast）；bfloat16。',
    ],
    inputs: { Inputs: '各个张量，数量不限，元素类型相同。' },
    outputs: { Output: '元素类型相同的张量，轴由 -> 的右边给出。' },
    attributes: { equation: '各输入的轴的字母，以逗号分隔，然后是 -> 和结果的字母。' },
  },
};
