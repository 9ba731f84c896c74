// What each documented example shows (examples/documented.json).
import { texts } from '../texts.js';

/** By operator and name, with a space between. */
export const exampleTexts = texts<{ readonly [example: string]: string }>({
  en: {
    'Constant default': 'A 5 × 5 float32 tensor, as it stands in the attribute value.',
    'ConstantOfShape float_ones': 'The value 1 as float32 fills shape [4, 3, 2].',
    'ConstantOfShape int32_zeros': 'The value 0 as int32 fills shape [10, 6]; the type comes from value.',
    'ConstantOfShape int32_shape_zero': 'A size of 0 gives a tensor of shape [0], without elements.',
    'Shape example': 'A tensor of shape [2, 3] gives 2, 3.',
    'Shape default': 'Without start and end, all axes are given.',
    'Shape start_1': 'start 1 leaves out the first axis.',
    'Shape end_1': 'end 1 stops after the first axis.',
    'Shape start_negative_1': 'start -1 counts from the end: only the last axis is left.',
    'Shape end_negative_1': 'end -1 stops before the last axis.',
    'Shape start_1_end_negative_1': 'start 1 and end -1 leave out the first and the last axis.',
    'Shape start_1_end_2': 'start 1 and end 2 choose one axis, the second.',
    'Shape clip_start': 'start -10 lies before the first axis and counts as 0: all axes are given.',
    'Shape clip_end': 'end 10 lies beyond the last axis and counts as 3: all axes are given.',
    'Shape start_greater_than_end': 'start 2 lies after end 1: the result is empty. That is not an error.',
    'Shape summary: no attributes': 'A tensor of shape [2, 3, 4] gives 2, 3, 4.',
    'Shape summary: start -1': 'For shape [2, 3, 4], start -1 gives the last size, 4.',
    'Shape summary: end -1': 'For shape [2, 3, 4], end -1 gives all sizes but the last: 2, 3.',
    'Shape summary: start 1, end 2': 'For shape [2, 3, 4], start 1 and end 2 give the size in the middle, 3.',
    'Expand dim_changed':
      'The broadcast goes both ways: [3, 1] with the wanted shape [2, 1, 6] becomes [2, 3, 6]. That is neither of the two shapes.',
    'Expand dim_unchanged':
      'The axis of size 3 stays, the axis of size 1 is repeated four times: [3, 1] becomes [3, 4].',
  },
  zh: {
    'Constant default': '一个 5 × 5 的 float32 张量，与属性 value 中写的完全一样。',
    'ConstantOfShape float_ones': '用 float32 的 1 填满形状 [4, 3, 2]。',
    'ConstantOfShape int32_zeros': '用 int32 的 0 填满形状 [10, 6]；元素类型由 value 决定。',
    'ConstantOfShape int32_shape_zero': '大小为 0，得到形状为 [0]、没有元素的张量。',
    'Shape example': '形状为 [2, 3] 的张量得到 2、3。',
    'Shape default': '不给 start 和 end 时，给出所有轴。',
    'Shape start_1': 'start 为 1，跳过第一个轴。',
    'Shape end_1': 'end 为 1，只取第一个轴。',
    'Shape start_negative_1': 'start 为 -1，从末尾数起，只剩最后一个轴。',
    'Shape end_negative_1': 'end 为 -1，在最后一个轴之前停止。',
    'Shape start_1_end_negative_1': 'start 为 1，end 为 -1，去掉第一个轴和最后一个轴。',
    'Shape start_1_end_2': 'start 为 1，end 为 2，只取第二个轴。',
    'Shape clip_start': 'start 为 -10，在第一个轴之前，按 0 处理，给出所有轴。',
    'Shape clip_end': 'end 为 10，超出最后一个轴，按 3 处理，给出所有轴。',
    'Shape start_greater_than_end': 'start 为 2，在 end（1）之后，结果为空，不算错误。',
    'Shape summary: no attributes': '形状为 [2, 3, 4] 的张量得到 2、3、4。',
    'Shape summary: start -1': '形状为 [2, 3, 4]，start 为 -1，得到最后一个大小 4。',
    'Shape summary: end -1': '形状为 [2, 3, 4]，end 为 -1，得到除最后一个之外的大小：2、3。',
    'Shape summary: start 1, end 2': '形状为 [2, 3, 4]，start 为 1，end 为 2，得到中间的大小 3。',
    'Expand dim_changed': '广播是双向的：[3, 1] 与目标形状 [2, 1, 6] 得到 [2, 3, 6]，与两者都不同。',
    'Expand dim_unchanged': '大小为 3 的轴不变，大小为 1 的轴重复四次：[3, 1] 变成 [3, 4]。',
  },
});
