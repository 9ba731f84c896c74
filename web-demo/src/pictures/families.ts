// The families of pictures, each with its operators. A drawing is fetched when somebody looks at one of them.
import type { Drawing } from './plan.js';

interface Family {
  readonly drawing: Drawing;
}

export const families: readonly (readonly [operators: string, load: () => Promise<Family>])[] = [
  [
    'Conv ConvInteger QLinearConv MaxPool AveragePool LpPool GlobalMaxPool GlobalAveragePool GlobalLpPool',
    () => import('./convolution.js'),
  ],
  ['ConvTranspose', () => import('./transposed.js')],
  [
    'Softmax LogSoftmax Hardmax LayerNormalization BatchNormalization InstanceNormalization GroupNormalization ' +
      'RMSNormalization LpNormalization MeanVarianceNormalization',
    () => import('./normalise.js'),
  ],
  ['Attention', () => import('./attention.js')],
  [
    'Gather GatherElements GatherND Scatter ScatterElements ScatterND OneHot Slice Compress Transpose Reshape Flatten ' +
      'Squeeze Unsqueeze Concat Split Tile Pad DepthToSpace SpaceToDepth ReverseSequence Trilu CenterCropPad',
    () => import('./movement.js'),
  ],
  ['TopK ArgMax ArgMin Unique', () => import('./ranks.js')],
  ['NonZero', () => import('./nonzero.js')],
  ['MatMul Gemm MatMulInteger QLinearMatMul', () => import('./matmul.js')],
  ['Einsum', () => import('./einsum.js')],
  [
    'ReduceSum ReduceMean ReduceMax ReduceMin ReduceProd ReduceL1 ReduceL2 ReduceSumSquare ReduceLogSum ' +
      'ReduceLogSumExp CumSum CumProd',
    () => import('./reduce.js'),
  ],
  ['QuantizeLinear DequantizeLinear DynamicQuantizeLinear', () => import('./quantise.js')],
  ['Cast CastLike', () => import('./cast.js')],
  ['Resize Upsample', () => import('./resize.js')],
  ['GridSample AffineGrid', () => import('./grids.js')],
  ['LSTM GRU RNN', () => import('./recurrent.js')],
  ['NonMaxSuppression', () => import('./boxes.js')],
  ['RoiAlign', () => import('./regions.js')],
  ['DFT STFT HannWindow HammingWindow BlackmanWindow MelWeightMatrix', () => import('./signals.js')],
];
