// Writes data/schemas.json: the facts of ONNX's schemas that Broadloom's rows are compared with.
//   node tools/extract/schemas.mjs path/to/onnx-schemas.json
import { readFileSync, writeFileSync } from 'node:fs';

const { onnx_version, max_opset, ops } = JSON.parse(readFileSync(process.argv[2], 'utf8'));

// The option of a variadic parameter says that it stands for one or more, so min_arity is left out.
const plain = (parameters) =>
  parameters.map(({ min_arity, ...rest }) =>
    min_arity === undefined || min_arity === 1 ? rest : { ...rest, min_arity },
  );

const paddings = { 1: ['NOTSET', 'SAME_UPPER', 'SAME_LOWER', 'VALID'] };
// Rules for attributes that stand in ONNX's texts and not in the schemas: the choices of a text, by the first version that has them, ...
const choices = {
  'AveragePool.auto_pad': paddings,
  'BitShift.direction': { 11: ['LEFT', 'RIGHT'] },
  'Cast.round_mode': { 24: ['up', 'down', 'nearest'] },
  'CastLike.round_mode': { 24: ['up', 'down', 'nearest'] },
  'CausalConvWithState.activation': { 27: ['none', 'silu', 'swish'] },
  'Conv.auto_pad': paddings,
  'ConvInteger.auto_pad': paddings,
  'ConvTranspose.auto_pad': paddings,
  'DepthToSpace.mode': { 11: ['DCR', 'CRD'] },
  'Gelu.approximate': { 20: ['none', 'tanh'] },
  'GRU.direction': { 1: ['foward', 'forward', 'reverse', 'bidirectional'], 3: ['forward', 'reverse', 'bidirectional'] },
  'GridSample.mode': { 16: ['bilinear', 'nearest', 'bicubic'], 20: ['linear', 'nearest', 'cubic'] },
  'GridSample.padding_mode': { 16: ['zeros', 'border', 'reflection'] },
  'ImageDecoder.pixel_format': { 20: ['RGB', 'BGR', 'Grayscale'] },
  'LinearAttention.update_rule': { 27: ['linear', 'gated', 'delta', 'gated_delta'] },
  'LSTM.direction': { 1: ['forward', 'reverse', 'bidirectional'] },
  'LpPool.auto_pad': paddings,
  'MaxPool.auto_pad': paddings,
  'NegativeLogLikelihoodLoss.reduction': { 12: ['none', 'sum', 'mean'] },
  'Pad.mode': { 1: ['constant', 'reflect', 'edge'], 19: ['constant', 'reflect', 'edge', 'wrap'] },
  'QLinearConv.auto_pad': paddings,
  'Resize.coordinate_transformation_mode': {
    11: [
      'half_pixel',
      'half_pixel_symmetric',
      'pytorch_half_pixel',
      'align_corners',
      'asymmetric',
      'tf_half_pixel_for_nn',
      'tf_crop_and_resize',
    ],
  },
  'Resize.keep_aspect_ratio_policy': { 18: ['stretch', 'not_larger', 'not_smaller'] },
  'Resize.mode': { 10: ['nearest', 'linear', 'cubic'] },
  'Resize.nearest_mode': { 11: ['round_prefer_floor', 'round_prefer_ceil', 'floor', 'ceil'] },
  'RoiAlign.coordinate_transformation_mode': { 16: ['half_pixel', 'output_half_pixel'] },
  'RoiAlign.mode': { 10: ['avg', 'max'] },
  'RNN.direction': { 1: ['forward', 'reverse', 'bidirectional'] },
  'ScatterElements.reduction': { 16: ['none', 'add', 'mul'], 18: ['none', 'add', 'mul', 'max', 'min'] },
  'ScatterND.reduction': { 16: ['none', 'add', 'mul'], 18: ['none', 'add', 'mul', 'max', 'min'] },
  'SoftmaxCrossEntropyLoss.reduction': { 12: ['none', 'sum', 'mean'] },
  'StringNormalizer.case_change_action': { 10: ['LOWER', 'UPPER', 'NONE'] },
  'TensorScatter.mode': { 24: ['linear', 'circular'] },
  'TfIdfVectorizer.mode': { 9: ['TF', 'IDF', 'TFIDF'] },
  'Upsample.mode': { 1: ['nearest', 'bilinear'], 7: ['nearest', 'linear', 'cubic'] },
};
// ... and which numbers are those of an element type.
const dataTypes = [
  'Bernoulli.dtype',
  'BitCast.to',
  'BlackmanWindow.output_datatype',
  'Cast.to',
  'DequantizeLinear.output_dtype',
  'EyeLike.dtype',
  'HammingWindow.output_datatype',
  'HannWindow.output_datatype',
  'MelWeightMatrix.output_datatype',
  'Multinomial.dtype',
  'QuantizeLinear.output_dtype',
  'QuantizeLinear.precision',
  'RandomNormal.dtype',
  'RandomNormalLike.dtype',
  'RandomUniform.dtype',
  'RandomUniformLike.dtype',
  'SequenceEmpty.dtype',
];

// The fewest digits that identify a float32: 0.9 and not 0.8999999761581421.
function shortest(number) {
  const digits = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((count) => Number(number.toPrecision(count)));
  return digits.find((rounded) => Math.fround(rounded) === Math.fround(number));
}

function complete(operator, since, attributes) {
  return attributes.map((attribute) => {
    const name = `${operator}.${attribute.name}`;
    const version = Object.keys(choices[name] ?? {}).findLast((first) => Number(first) <= since);
    return {
      ...attribute,
      ...(attribute.type === 'FLOAT' && 'default' in attribute && { default: shortest(attribute.default) }),
      ...(version && { choices: choices[name][version] }),
      ...(dataTypes.includes(name) && attribute.type === 'INT' && { isDataType: true }),
    };
  });
}

// One line per row, so that a change of the schemas is a readable diff.
const rows = Object.keys(ops).flatMap((operator) => {
  return ops[operator].map(({ since_version, attributes, inputs, outputs, type_constraints }) => {
    return JSON.stringify({
      operator,
      since_version,
      attributes: complete(operator, since_version, attributes),
      inputs: plain(inputs),
      outputs: plain(outputs),
      type_constraints,
    });
  });
});
const text = `{"onnx_version": "${onnx_version}", "max_opset": ${max_opset}, "rows": [\n${rows.join(',\n')}\n]}\n`;
writeFileSync(new URL('../../data/schemas.json', import.meta.url), text);
