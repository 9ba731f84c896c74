// What is told about the operators; one file per operator. The page does not import this: the build writes each operator's words
// into files of their own, one for each language (web-demo/facts.ts).
import { abs } from './operators/abs.js';
import { acos } from './operators/acos.js';
import { acosh } from './operators/acosh.js';
import { add } from './operators/add.js';
import { and } from './operators/and.js';
import { argMax } from './operators/arg-max.js';
import { argMin } from './operators/arg-min.js';
import { asin } from './operators/asin.js';
import { asinh } from './operators/asinh.js';
import { atan } from './operators/atan.js';
import { atanh } from './operators/atanh.js';
import { batchNormalization } from './operators/batch-normalization.js';
import { bitCast } from './operators/bit-cast.js';
import { bitShift } from './operators/bit-shift.js';
import { bitwiseAnd } from './operators/bitwise-and.js';
import { bitwiseNot } from './operators/bitwise-not.js';
import { bitwiseOr } from './operators/bitwise-or.js';
import { bitwiseXor } from './operators/bitwise-xor.js';
import { cast } from './operators/cast.js';
import { castLike } from './operators/cast-like.js';
import { ceil } from './operators/ceil.js';
import { celu } from './operators/celu.js';
import { centerCropPad } from './operators/center-crop-pad.js';
import { clip } from './operators/clip.js';
import { compress } from './operators/compress.js';
import { concat } from './operators/concat.js';
import { constant } from './operators/constant.js';
import { constantOfShape } from './operators/constant-of-shape.js';
import { cos } from './operators/cos.js';
import { cosh } from './operators/cosh.js';
import { cumProd } from './operators/cum-prod.js';
import { cumSum } from './operators/cum-sum.js';
import { depthToSpace } from './operators/depth-to-space.js';
import { dequantizeLinear } from './operators/dequantize-linear.js';
import { det } from './operators/det.js';
import { div } from './operators/div.js';
import { dropout } from './operators/dropout.js';
import { dynamicQuantizeLinear } from './operators/dynamic-quantize-linear.js';
import { einsum } from './operators/einsum.js';
import { elu } from './operators/elu.js';
import { equal } from './operators/equal.js';
import { erf } from './operators/erf.js';
import { exp } from './operators/exp.js';
import { expand } from './operators/expand.js';
import { eyeLike } from './operators/eye-like.js';
import { flatten } from './operators/flatten.js';
import { floor } from './operators/floor.js';
import { gather } from './operators/gather.js';
import { gatherElements } from './operators/gather-elements.js';
import { gatherNd } from './operators/gather-nd.js';
import { gelu } from './operators/gelu.js';
import { gemm } from './operators/gemm.js';
import { greater } from './operators/greater.js';
import { greaterOrEqual } from './operators/greater-or-equal.js';
import { groupNormalization } from './operators/group-normalization.js';
import { hardSigmoid } from './operators/hard-sigmoid.js';
import { hardSwish } from './operators/hard-swish.js';
import { hardmax } from './operators/hardmax.js';
import { identity } from './operators/identity.js';
import { instanceNormalization } from './operators/instance-normalization.js';
import { isInf } from './operators/is-inf.js';
import { isNan } from './operators/is-nan.js';
import { layerNormalization } from './operators/layer-normalization.js';
import { leakyRelu } from './operators/leaky-relu.js';
import { less } from './operators/less.js';
import { lessOrEqual } from './operators/less-or-equal.js';
import { log } from './operators/log.js';
import { logSoftmax } from './operators/log-softmax.js';
import { lpNormalization } from './operators/lp-normalization.js';
import { matMul } from './operators/mat-mul.js';
import { max } from './operators/max.js';
import { mean } from './operators/mean.js';
import { meanVarianceNormalization } from './operators/mean-variance-normalization.js';
import { min } from './operators/min.js';
import { mish } from './operators/mish.js';
import { mod } from './operators/mod.js';
import { mul } from './operators/mul.js';
import { neg } from './operators/neg.js';
import { nonZero } from './operators/non-zero.js';
import { not } from './operators/not.js';
import { oneHot } from './operators/one-hot.js';
import type { OperatorText, OperatorWords } from './operators/operator-text.js';
import { or } from './operators/or.js';
import { pad } from './operators/pad.js';
import { pow } from './operators/pow.js';
import { prelu } from './operators/prelu.js';
import { quantizeLinear } from './operators/quantize-linear.js';
import { range } from './operators/range.js';
import { reciprocal } from './operators/reciprocal.js';
import { reduceL1 } from './operators/reduce-l1.js';
import { reduceL2 } from './operators/reduce-l2.js';
import { reduceLogSum } from './operators/reduce-log-sum.js';
import { reduceLogSumExp } from './operators/reduce-log-sum-exp.js';
import { reduceMax } from './operators/reduce-max.js';
import { reduceMean } from './operators/reduce-mean.js';
import { reduceMin } from './operators/reduce-min.js';
import { reduceProd } from './operators/reduce-prod.js';
import { reduceSum } from './operators/reduce-sum.js';
import { reduceSumSquare } from './operators/reduce-sum-square.js';
import { relu } from './operators/relu.js';
import { reshape } from './operators/reshape.js';
import { reverseSequence } from './operators/reverse-sequence.js';
import { rmsNormalization } from './operators/rms-normalization.js';
import { round } from './operators/round.js';
import { scatter } from './operators/scatter.js';
import { scatterElements } from './operators/scatter-elements.js';
import { scatterNd } from './operators/scatter-nd.js';
import { selu } from './operators/selu.js';
import { shape } from './operators/shape.js';
import { shrink } from './operators/shrink.js';
import { sigmoid } from './operators/sigmoid.js';
import { sign } from './operators/sign.js';
import { sin } from './operators/sin.js';
import { sinh } from './operators/sinh.js';
import { size } from './operators/size.js';
import { slice } from './operators/slice.js';
import { softmax } from './operators/softmax.js';
import { softplus } from './operators/softplus.js';
import { softsign } from './operators/softsign.js';
import { spaceToDepth } from './operators/space-to-depth.js';
import { split } from './operators/split.js';
import { sqrt } from './operators/sqrt.js';
import { squeeze } from './operators/squeeze.js';
import { sub } from './operators/sub.js';
import { sum } from './operators/sum.js';
import { swish } from './operators/swish.js';
import { tan } from './operators/tan.js';
import { tanh } from './operators/tanh.js';
import { thresholdedRelu } from './operators/thresholded-relu.js';
import { tile } from './operators/tile.js';
import { topK } from './operators/top-k.js';
import { transpose } from './operators/transpose.js';
import { trilu } from './operators/trilu.js';
import { unique } from './operators/unique.js';
import { unsqueeze } from './operators/unsqueeze.js';
import { where } from './operators/where.js';
import { xor } from './operators/xor.js';
import { type Language, texts } from './texts.js';

/** By the operator's name. */
export const operatorWords: { readonly [operator: string]: OperatorWords } = {
  Abs: abs,
  Acos: acos,
  Acosh: acosh,
  Add: add,
  And: and,
  ArgMax: argMax,
  ArgMin: argMin,
  Asin: asin,
  Asinh: asinh,
  Atan: atan,
  Atanh: atanh,
  BatchNormalization: batchNormalization,
  BitCast: bitCast,
  BitShift: bitShift,
  BitwiseAnd: bitwiseAnd,
  BitwiseNot: bitwiseNot,
  BitwiseOr: bitwiseOr,
  BitwiseXor: bitwiseXor,
  Cast: cast,
  CastLike: castLike,
  Ceil: ceil,
  Celu: celu,
  CenterCropPad: centerCropPad,
  Clip: clip,
  Compress: compress,
  Concat: concat,
  Constant: constant,
  ConstantOfShape: constantOfShape,
  Cos: cos,
  Cosh: cosh,
  CumProd: cumProd,
  CumSum: cumSum,
  DepthToSpace: depthToSpace,
  DequantizeLinear: dequantizeLinear,
  Det: det,
  Div: div,
  Dropout: dropout,
  DynamicQuantizeLinear: dynamicQuantizeLinear,
  Einsum: einsum,
  Elu: elu,
  Equal: equal,
  Erf: erf,
  Exp: exp,
  Expand: expand,
  EyeLike: eyeLike,
  Flatten: flatten,
  Floor: floor,
  Gather: gather,
  GatherElements: gatherElements,
  GatherND: gatherNd,
  Gelu: gelu,
  Gemm: gemm,
  Greater: greater,
  GreaterOrEqual: greaterOrEqual,
  GroupNormalization: groupNormalization,
  HardSigmoid: hardSigmoid,
  HardSwish: hardSwish,
  Hardmax: hardmax,
  Identity: identity,
  InstanceNormalization: instanceNormalization,
  IsInf: isInf,
  IsNaN: isNan,
  LayerNormalization: layerNormalization,
  LeakyRelu: leakyRelu,
  Less: less,
  LessOrEqual: lessOrEqual,
  Log: log,
  LogSoftmax: logSoftmax,
  LpNormalization: lpNormalization,
  MatMul: matMul,
  Max: max,
  Mean: mean,
  MeanVarianceNormalization: meanVarianceNormalization,
  Min: min,
  Mish: mish,
  Mod: mod,
  Mul: mul,
  Neg: neg,
  NonZero: nonZero,
  Not: not,
  OneHot: oneHot,
  Or: or,
  PRelu: prelu,
  Pad: pad,
  Pow: pow,
  QuantizeLinear: quantizeLinear,
  RMSNormalization: rmsNormalization,
  Range: range,
  Reciprocal: reciprocal,
  ReduceL1: reduceL1,
  ReduceL2: reduceL2,
  ReduceLogSum: reduceLogSum,
  ReduceLogSumExp: reduceLogSumExp,
  ReduceMax: reduceMax,
  ReduceMean: reduceMean,
  ReduceMin: reduceMin,
  ReduceProd: reduceProd,
  ReduceSum: reduceSum,
  ReduceSumSquare: reduceSumSquare,
  Relu: relu,
  Reshape: reshape,
  ReverseSequence: reverseSequence,
  Round: round,
  Scatter: scatter,
  ScatterElements: scatterElements,
  ScatterND: scatterNd,
  Selu: selu,
  Shape: shape,
  Shrink: shrink,
  Sigmoid: sigmoid,
  Sign: sign,
  Sin: sin,
  Sinh: sinh,
  Size: size,
  Slice: slice,
  Softmax: softmax,
  Softplus: softplus,
  Softsign: softsign,
  SpaceToDepth: spaceToDepth,
  Split: split,
  Sqrt: sqrt,
  Squeeze: squeeze,
  Sub: sub,
  Sum: sum,
  Swish: swish,
  Tan: tan,
  Tanh: tanh,
  ThresholdedRelu: thresholdedRelu,
  Tile: tile,
  TopK: topK,
  Transpose: transpose,
  Trilu: trilu,
  Unique: unique,
  Unsqueeze: unsqueeze,
  Where: where,
  Xor: xor,
};

function inLanguage(language: Language): { readonly [operator: string]: OperatorText } {
  return Object.fromEntries(Object.entries(operatorWords).map(([name, words]) => [name, words[language]]));
}

/** By the operator's name. */
export const operatorTexts = texts({ en: inLanguage('en'), zh: inLanguage('zh') });
