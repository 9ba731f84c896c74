// Which operators have a picture of their own. Drawings are fetched when a call of their operator is first shown.
import { nothing, type TemplateResult } from 'lit-html';
import type { CallReport } from '../runtime/protocol.js';
import { change, type State } from '../state.js';
import type { PictureGiven } from './element.js';

type Loaded = (given: PictureGiven) => TemplateResult;

interface Module {
  readonly drawing: PictureGiven['drawing'];
}

/** The families, each with its operators. */
const families: readonly (readonly [operators: string, load: () => Promise<Module>])[] = [
  [
    'Conv ConvInteger QLinearConv MaxPool AveragePool LpPool GlobalMaxPool GlobalAveragePool GlobalLpPool',
    () => import('./convolution.js'),
  ],
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

type Load = () => Promise<Module>;

const loads = new Map<string, Load>(
  families.flatMap(([operators, load]) => operators.split(' ').map((name): [string, Load] => [name, load])),
);

const known = new Map<Load, { readonly view: Loaded; readonly drawing: Module['drawing'] } | 'coming'>();

async function fetchDrawing(load: Load): Promise<void> {
  known.set(load, 'coming');
  try {
    const [{ pictureView }, { drawing }] = await Promise.all([import('./element.js'), load()]);
    known.set(load, { view: pictureView, drawing });
    change({});
  } catch {
    known.delete(load); // the page serves without it
  }
}

/** Fetches the drawing of an operator, if it has one: before its call is answered, mostly. */
export function expectPicture(operator: string): void {
  const load = loads.get(operator);
  if (load !== undefined && !known.has(load)) void fetchDrawing(load);
}

/** The picture of a call; nothing where its operator has none, or where the drawing is on its way. */
export function pictureOf({ language, reported }: State, call: CallReport): TemplateResult | typeof nothing {
  const load = loads.get(call.operator);
  if (load === undefined || reported === undefined) return nothing;
  expectPicture(call.operator);
  const found = known.get(load);
  if (found === undefined || found === 'coming') return nothing;
  return found.view({ language, call, draft: reported, drawing: found.drawing });
}
