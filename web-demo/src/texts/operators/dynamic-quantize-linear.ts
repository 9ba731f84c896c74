// What is told about DynamicQuantizeLinear.
import type { OperatorWords } from './operator-text.js';

export const dynamicQuantizeLinear: OperatorWords = {
  group: 'quantise',
  aliases: [
    'torch.quantize_per_tensor_dynamic',
    'torch.ao.quantization.quantize_dynamic',
    'dynamic quantisation',
    'uint8',
  ],
  en: {
    summary: 'Turns real numbers into uint8, by a scale and a zero point that it finds from their range.',
    details: [
      'The range goes from the least to the greatest element, and always takes in 0. y_scale is its width divided by 255; y_zero_point is the place of 0 in it. Then each x gives round(x / y_scale) + y_zero_point, as in QuantizeLinear: [0, 1, 5.1] gives [0, 50, 255] with the scale 0.02.',
      'If there are no elements but 0, or none at all, the scale is 1. ONNX leaves that open.',
      'Errors: any type but float32.',
    ],
    inputs: { x: 'The tensor to quantise.' },
    outputs: {
      y: 'A uint8 tensor of the same shape.',
      y_scale: 'The scale: a float32 scalar.',
      y_zero_point: 'The zero point: a uint8 scalar.',
    },
    attributes: {},
  },
  zh: {
    summary: '把实数变为 uint8，缩放系数和零点由数值范围自动求出。',
    details: [
      '范围从最小的元素到最大的元素，并且总是包含 0。y_scale 为范围的宽度除以 255，y_zero_point 为 0 在其中的位置。然后每个 x 得到 round(x / y_scale) + y_zero_point，与 QuantizeLinear 相同：[0, 1, 5.1] 得到 [0, 50, 255]，缩放系数为 0.02。',
      '所有元素都为 0 或没有元素时，缩放系数为 1；ONNX 对此没有规定。',
      'float32 以外的类型会报错。',
    ],
    inputs: { x: '要量化的张量。' },
    outputs: { y: '形状相同的 uint8 张量。', y_scale: '缩放系数：float32 标量。', y_zero_point: '零点：uint8 标量。' },
    attributes: {},
  },
};
