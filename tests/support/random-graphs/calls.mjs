// Nodes of every operator: a random call of the differential tests whose operands are values of the graph, where their types and
// dims fit or can be made to fit.
import { runningExperiments } from '../../../tools/operators/foreign.mjs';
import { Draw, generatorOf } from '../../differential/generators.mjs';
import { microsoftGenerators } from '../../differential/microsoft-generators.mjs';
import { allTypes, product, Random } from '../../differential/values.mjs';
import { attributesOf, Unfit } from './scope.mjs';
import { adapted, converted } from './views.mjs';
import { isSameAxis, worldCount } from './worlds.mjs';

/** The parameter whose type a generator selects, if not the first input. */
const typed = {
  ConstantOfShape: ({ outputs }) => outputs[0],
  OneHot: ({ inputs }) => inputs[2],
  Where: ({ inputs }) => inputs[1],
};
function typesOf(name, version) {
  const parameter = typed[name]?.(version) ?? version.inputs[0];
  const allowed = version.typeConstraints[parameter.type] ?? [parameter.type];
  return allTypes.filter((type) => allowed.includes(type));
}

/** Operators all of whose operands may be any numbers. Of others, only the first one, and floats, unless `bound` lists them. */
const takeAny = new Set(
  'Add And BitwiseAnd BitwiseOr BitwiseXor CastLike Concat ConvInteger Einsum Equal Gemm Greater GreaterOrEqual Less LessOrEqual MatMul MatMulInteger Max Mean Min Mul Or PRelu Sub Sum Where Xor'.split(
    ' ',
  ),
);
const all = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];
const bound = {
  BatchNormalization: [4],
  BlackmanWindow: all,
  ConstantOfShape: all,
  DequantizeLinear: [1, 2],
  Dropout: [1, 2],
  DynamicQuantizeLSTM: all.slice(1),
  DynamicQuantizeMatMul: [1, 2, 3],
  EmbedLayerNormalization: [0, 1, 7, 8],
  HammingWindow: all,
  HannWindow: all,
  GatherBlockQuantized: all,
  MatMulIntegerToFloat: all.slice(1),
  MatMulNBits: [1, 2, 3, 4],
  MaxRoiPool: [1],
  MelWeightMatrix: all,
  NonMaxSuppression: [2, 3, 4],
  OneHot: [1],
  Pow: [1],
  QAttention: all.slice(1),
  QGemm: all.slice(1),
  QuantizeLinear: [1, 2],
  Range: all,
  Resize: [1, 2, 3],
  RoiAlign: [1, 2],
  Tile: [1, 2],
  Upsample: [1],
};
function isFree(name, i, { type }) {
  if (bound[name]?.includes(i)) return false;
  if (name.startsWith('QLinear')) return i === 0 && !type.startsWith('float');
  return i === 0 || takeAny.has(name) || type.startsWith('float');
}

/** Random numbers that take dims and types from values of a graph, so that a call fits to them. */
class GraphRandom extends Random {
  constructor(random, scope) {
    super(random.integer(0, 2 ** 31 - 1));
    this.ranked = scope.visible().filter(({ dims }) => dims !== undefined);
    this.focus = undefined;
  }
  dims(rank, most = 4, least = 0) {
    const fits = ({ dims }) =>
      dims.length === rank && dims.every(([size]) => size >= least && size <= Math.max(most, 8));
    const candidates = this.chance(0.75) ? this.ranked.filter(fits) : [];
    if (candidates.length === 0) return super.dims(rank, most, least);
    this.focus = this.chance(0.5) ? candidates.at(-1) : this.pick(candidates);
    return this.focus.dims.map(([size]) => size);
  }
}
class GraphDraw extends Draw {
  type(among = allTypes) {
    const { focus } = this.random;
    const isPossible = (type) => among.includes(type) && this.types.includes(type);
    if (focus !== undefined && isPossible(focus.type) && this.random.chance(0.8)) return focus.type;
    const common = ['float32', 'int64', 'int32'].filter(isPossible);
    return common.length > 0 && this.random.chance(this.plain) ? this.random.pick(common) : super.type(among);
  }
}

/** All operators that a graph of this opset can have, as { name, domain, version } without version outside of ONNX's domain. */
export function operatorsOf(ops, opset) {
  const own = ops.operators().flatMap(({ name, versions }) => {
    const version = versions.findLast(({ sinceVersion }) => sinceVersion <= opset);
    return version === undefined || name === 'Constant' ? [] : [{ name, domain: '', version }];
  });
  const isFormer = (name) => runningExperiments.includes(name);
  const others = Object.keys(microsoftGenerators)
    .filter((name) => !isFormer(name) || opset < 10)
    .map((name) => ({ name, domain: isFormer(name) ? '' : 'com.microsoft' }));
  return [...own, ...others];
}

const movers =
  'Transpose Slice Expand Reshape Squeeze Unsqueeze Flatten Identity Concat Split Gather Tile Pad ReverseSequence'.split(
    ' ',
  );
const elementwise =
  'Add Sub Mul Div Relu Sigmoid Tanh Clip Where Abs Neg Exp Sqrt LeakyRelu HardSwish Max Min Cast Not Equal Less Pow Sum Erf'.split(
    ' ',
  );
const heavy =
  'Conv MatMul Gemm Softmax ReduceSum ReduceMean ReduceMax LayerNormalization BatchNormalization MaxPool AveragePool GlobalAveragePool LogSoftmax CumSum InstanceNormalization'.split(
    ' ',
  );
/** The operator of the next call. */
export function pickOperator(random, operators) {
  const kind = random.next();
  const group = kind < 0.15 ? movers : kind < 0.32 ? elementwise : kind < 0.42 ? heavy : undefined;
  const among =
    group === undefined ? operators : operators.filter(({ name, domain }) => domain === '' && group.includes(name));
  return random.pick(among.length > 0 ? among : operators);
}

const kinds = { int: 'INT', float: 'FLOAT' };
/** Attributes of a call in the kinds that the version's schema gives them. */
function schemaAttributes(version, attributes) {
  return Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => {
      const kind = version.attributes.find((one) => one.name === name)?.type ?? kinds.int;
      return { name, kind, value: kind === 'STRING' ? `${value}` : value };
    });
}

/** Which outputs a node has. */
function outputsOf(random, { name, version }, { inputs, attributes = {} }) {
  if (name === 'Split')
    return Array(attributes.split?.length ?? attributes.num_outputs ?? inputs[1]?.data.length ?? 1).fill(true);
  if (name === 'BatchNormalization') return [true];
  return version.outputs
    .filter(({ option }) => option !== 'Variadic')
    .map(({ option }, i) => i === 0 || option === 'Single' || random.chance(0.5))
    .filter((isGiven, i, list) => isGiven || list.slice(i).includes(true));
}

/** A call of an operator: { inputs, attributes, outputs, domain }. */
function draw(scope, { name, domain, version }) {
  const random = new GraphRandom(scope.random, scope);
  if (version === undefined) {
    const call = microsoftGenerators[name](random);
    const { outputs = 1 } = call;
    const list = Array.isArray(outputs) ? outputs.map((type) => type !== null) : Array(outputs).fill(true);
    return {
      inputs: call.inputs,
      attributes: attributesOf(call.attributes ?? {}),
      outputs: list,
      domain: call.domain ?? domain,
    };
  }
  const given = new GraphDraw(random, version, typesOf(name, version));
  given.plain = scope.builder.plain;
  const call = generatorOf(name)(given);
  return {
    inputs: call.inputs,
    attributes: schemaAttributes(version, call.attributes ?? {}),
    outputs: outputsOf(scope.random, { name, version }, call),
    domain: '',
  };
}

/** Axes of a new operand: a size that an axis of the graph has in the first world may be that axis. */
function axesFor(scope, dims, isSymbolic) {
  const { random } = scope;
  const known = scope.visible().flatMap((value) => value.dims ?? []);
  return dims.map((size) => {
    const same = isSymbolic ? known.filter(([first]) => first === size) : [];
    return same.length > 0 && random.chance(0.8) ? random.pick(same) : Array(worldCount).fill(size);
  });
}

/** The value for an operand of a call. `how` is 'symbolic' at first, then 'fixed', then 'new'. */
function wire(scope, name, i, tensor, how) {
  const { random } = scope;
  if (tensor === null) return null;
  if (!isFree(name, i, tensor)) {
    if (how !== 'new' && random.chance(0.15) && !scope.isInFunction())
      return scope.input(tensor, axesFor(scope, tensor.dims, false), true);
    return scope.weight(tensor, true);
  }
  if (how !== 'new') {
    const isSame = ({ type, dims }) =>
      type === tensor.type && dims !== undefined && `${dims.map(([size]) => size)}` === `${tensor.dims}`;
    const fits = scope
      .visible()
      .filter(
        (value) =>
          isSame(value) &&
          (how === 'symbolic' || value.dims.every((axis) => isSameAxis(axis, Array(worldCount).fill(axis[0])))),
      );
    if (fits.length > 0 && random.chance(0.9)) return random.chance(0.5) ? fits.at(-1) : random.pick(fits);
    if (random.chance(i === 0 ? 0.6 : 0.25)) {
      const value = adapted(scope, tensor);
      if (value !== undefined) return value;
    }
  }
  if (scope.isInFunction() || random.chance(i === 0 ? 0.1 : 0.6)) return scope.weight(tensor);
  return scope.input(tensor, axesFor(scope, tensor.dims, how === 'symbolic'));
}

const ordinaryLimit = 1e5;
const isTame = ({ type, data }) =>
  (type !== 'float32' && type !== 'float64') ||
  data.every((value) => Math.abs(value) <= ordinaryLimit) ||
  data.length === 0;

/** Adds a node of the operator. Its outputs' values, or undefined where nothing fitted. */
export function addCall(scope, operator) {
  const { random, builder } = scope;
  const { name } = operator;
  for (const how of ['symbolic', 'symbolic', 'fixed', 'new']) {
    const made = scope.attempt(() => {
      const { inputs, attributes, outputs, domain } = draw(scope, operator);
      if (inputs.some((one) => one !== null && product(one.dims) > 5000)) throw new Unfit('large');
      const operands = inputs.map((tensor, i) => wire(scope, name, i, tensor, how));
      const narrow = converted(scope, operator, inputs, operands);
      const values = scope.add(name, narrow ?? operands, attributes, { outputs, domain });
      const isWild = values.some(({ worlds }) => !isTame(worlds[0]) || worlds[0].data.length > 20_000);
      if (isWild && random.chance(0.8)) throw new Unfit('large numbers');
      return values;
    });
    if (made !== undefined) {
      builder.used(`${operator.domain ? `${operator.domain}.` : ''}${name}`);
      return made;
    }
  }
  builder.refused.push(name);
  return undefined;
}
