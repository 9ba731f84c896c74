// How much a node computes and moves, by the dims of its inputs and outputs: floating-point operations, and bytes.
import { indexOf, typeRows } from '../facts.js';
import { graphPath, type NodePath } from './graphs.js';
import type { ModelReport, ReportNode } from './protocol.js';
import { infoOf, originOf } from './values-of.js';

type Dims = readonly number[];

/** The dims that values of the model's own graph had in a run, by name. */
export interface RunDims {
  readonly [value: string]: Dims;
}

export interface Cost {
  /** A multiplication and an addition are two. Undefined where dims are unknown, or no rule is. */
  readonly flops: number | undefined;
  /** The bytes of all inputs and outputs. */
  readonly bytes: number | undefined;
}

const count = (dims: Dims): number => dims.reduce((product, dim) => product * dim, 1);

/** The dims of the inputs and outputs that a rule reads; a missing one ends it. */
interface Shapes {
  readonly input: (index: number) => Dims;
  readonly output: Dims;
  readonly inputs: number;
  /** The integers of an attribute. */
  readonly attribute: (name: string) => readonly number[] | undefined;
}

type Rule = (shapes: Shapes) => number;

/** A product for each element of the output and of the kernel's rest. */
const convolution =
  (weights: number, bias: number): Rule =>
  ({ input, output, inputs }) =>
    2 * count(output) * count(input(weights).slice(1)) + (inputs > bias ? count(output) : 0);

const product =
  (a: number): Rule =>
  ({ input, output }) =>
    2 * count(output) * (input(a).at(-1) ?? 1);

const gemm: Rule = ({ input, output, inputs }) => {
  const depth = count(input(0)) / Math.max(1, output[0] ?? 1);
  return 2 * count(output) * depth + (inputs > 2 ? count(output) : 0);
};

/** Both products of each step. */
const recurrent: Rule = ({ input }) => 2 * count(input(0).slice(0, 2)) * (count(input(1)) + count(input(2)));

const ofInput =
  (each: number): Rule =>
  ({ input }) =>
    each * count(input(0));
const ofOutput: Rule = ({ output }) => count(output);
const window: Rule = ({ output, attribute }) => count(output) * count(attribute('kernel_shape') ?? [1]);
const nothing: Rule = () => 0;

const rules: { readonly [operator: string]: Rule } = {
  Conv: convolution(1, 2),
  ConvInteger: convolution(1, Number.POSITIVE_INFINITY),
  QLinearConv: convolution(3, 8),
  ConvTranspose: ({ input }) => 2 * count(input(0)) * count(input(1).slice(1)),
  MatMul: product(0),
  MatMulInteger: product(0),
  QLinearMatMul: product(0),
  Gemm: gemm,
  LSTM: recurrent,
  GRU: recurrent,
  RNN: recurrent,
  MaxPool: window,
  AveragePool: window,
  LpPool: window,
  GlobalMaxPool: ofInput(1),
  GlobalAveragePool: ofInput(1),
  GlobalLpPool: ofInput(1),
  Softmax: ofInput(4), // less the greatest, exp, the sum, the quotient
  LogSoftmax: ofInput(4),
  BatchNormalization: ofInput(2), // a factor and a summand, as it runs
  Dropout: nothing,
  ArgMax: ofInput(1),
  ArgMin: ofInput(1),
};

/** By groups of operators: one operation for each element, or none at all. */
const groupRules: { readonly [group: string]: Rule } = {
  ...{ arithmetic: ofOutput, math: ofOutput, logic: ofOutput, activation: ofOutput, bits: ofOutput },
  ...{ convert: nothing, move: nothing, make: nothing, shape: nothing },
  ...{ reduce: ofInput(1), normalise: ofInput(7), quantise: ofInput(2) },
};

class Unknown extends Error {}

/** The cost of the node at a path. `dims` are those of a run; without, what the file tells. */
export function costOf(report: ModelReport, path: NodePath, node: ReportNode, dims: RunDims): Cost {
  const place = graphPath(path);
  const value = (name: string): { readonly dims: Dims; readonly bytes: number } => {
    const info = infoOf(originOf(report, place, name));
    const ran = place === '' && Object.hasOwn(dims, name) ? dims[name] : undefined;
    const known = ran ?? info?.dims;
    if (!known?.every((dim): dim is number => typeof dim === 'number')) throw new Unknown();
    const bits = typeRows.find((row) => row.name === info?.type)?.bits ?? Number.NaN;
    return { dims: known, bytes: (count(known) * bits) / 8 };
  };
  const attempt = (work: () => number): number | undefined => {
    try {
      const result = work();
      return Number.isFinite(result) ? result : undefined;
    } catch (error) {
      if (error instanceof Unknown) return undefined;
      throw error;
    }
  };
  const isOwn = node.domain === '' || node.domain === 'ai.onnx';
  const group = indexOf(node.operator)?.group ?? '';
  const rule = isOwn && node.graphs === undefined ? (rules[node.operator] ?? groupRules[group]) : undefined;
  const names = [...node.inputs, ...node.outputs.map(({ name }) => name)].filter((name) => name !== '');
  return {
    flops:
      rule &&
      attempt(() =>
        rule({
          input: (index) => value(node.inputs[index] ?? '').dims,
          output: value(node.outputs[0]?.name ?? '').dims,
          inputs: node.inputs.length,
          attribute: (name) => {
            const text = node.attributes.find((one) => one.name === name)?.text;
            return text === undefined ? undefined : (JSON.parse(text) as number[]);
          },
        }),
      ),
    bytes: attempt(() => names.reduce((sum, name) => sum + value(name).bytes, 0)),
  };
}
