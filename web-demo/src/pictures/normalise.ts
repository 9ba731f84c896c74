// Softmax and normalisations: the elements that are normalised together as bars, before and after, with their mean and spread.
import { html, type TemplateResult } from 'lit-html';
import type { TensorReport } from '../runtime/protocol.js';
import { pictureTexts } from '../texts/pictures.js';
import { indexOf } from '../views/mapping.js';
import { bars, behind } from './parts.js';
import { type Drawing, elementStops, type Moment, type Subject } from './plan.js';
import { axisOf, countTo, factor, isKnown, numbersOf, short, textsOf } from './values.js';

/** More elements than these are too many bars. */
const mostBars = 128;

/** Whether two elements are normalised together. */
type Together = (one: readonly number[], other: readonly number[]) => boolean;

const sameBut =
  (axes: ReadonlySet<number>): Together =>
  (one, other) =>
    one.every((at, axis) => axes.has(axis) || at === other[axis]);

const from = (first: number, rank: number): ReadonlySet<number> => new Set(countTo(rank - first).map((i) => first + i));

function togetherOf({ call, attributes }: Subject, { dims }: TensorReport): Together {
  const rank = dims.length;
  const axis = axisOf(attributes.integer('axis', -1), rank);
  switch (call.operator) {
    case 'Softmax':
    case 'LogSoftmax':
    case 'Hardmax':
      return sameBut(call.version >= 13 ? new Set([axis]) : from(axis, rank));
    case 'LayerNormalization':
    case 'RMSNormalization':
      return sameBut(from(axis, rank));
    case 'BatchNormalization':
      return (one, other) => one[1] === other[1];
    case 'InstanceNormalization':
      return (one, other) => one[0] === other[0] && one[1] === other[1];
    case 'GroupNormalization': {
      const size = (dims[1] as number) / attributes.integer('num_groups', 1);
      const group = (index: readonly number[]): number => Math.floor((index[1] as number) / size);
      return (one, other) => one[0] === other[0] && group(one) === group(other);
    }
    case 'MeanVarianceNormalization':
      return sameBut(new Set((attributes.integers('axes') ?? [0, 2, 3]).map((one) => axisOf(one, rank))));
    default:
      return sameBut(new Set([axis]));
  }
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

interface Line {
  readonly members: readonly number[];
  readonly before: readonly number[];
  readonly after: readonly number[];
  readonly middle: number;
  readonly spread: number;
}

const isSoftmax = (operator: string): boolean => operator.endsWith('oftmax');
const hasMean = (operator: string): boolean => !/oftmax|Hardmax|RMS|LpNorm/.test(operator);

function lineOf(subject: Subject, x: TensorReport, y: TensorReport, together: Together, stop: number): Line {
  const at = indexOf(stop, x.dims);
  const members = countTo(x.size).filter((position) => together(at, indexOf(position, x.dims)));
  const before = members.map((position) => numbersOf(x)[position] as number);
  const after = members.map((position) => numbersOf(y)[position] as number);
  const { call } = subject;
  // Batches are normalised by what was learnt, unless they are trained with.
  const isLearnt = call.operator === 'BatchNormalization' && subject.attributes.integer('training_mode', 0) === 0;
  const channel = at[1] as number;
  const middle = isLearnt ? (numbersOf(call.inputs[3])[channel] as number) : mean(before);
  const variance = isLearnt
    ? (numbersOf(call.inputs[4])[channel] as number)
    : mean(before.map((value) => (value - middle) ** 2));
  return { members, before, after, middle, spread: Math.sqrt(variance) };
}

function rootOf({ call, attributes }: Subject, { before }: Line): number {
  if (call.operator === 'RMSNormalization') return Math.sqrt(mean(before.map((value) => value ** 2)));
  const p = attributes.integer('p', 2);
  return before.reduce((sum, value) => sum + Math.abs(value) ** p, 0) ** (1 / p);
}

function draw(subject: Subject, x: TensorReport, y: TensorReport, line: Line, { stop }: Moment): TemplateResult {
  const { operator } = subject.call;
  const t = pictureTexts[subject.language];
  const { members, middle, spread, after } = line;
  const shown = { positions: members, chosen: [stop] };
  const hasLevels = hasMean(operator);
  const levels = hasLevels ? [{ value: middle, label: `${t.mean} ${short(middle)}` }] : [];
  const newMean = mean(after);
  const under = hasLevels
    ? [{ value: newMean, label: `${t.mean} ${short(Math.abs(newMean) < 1e-6 ? 0 : newMean)}` }]
    : [];
  const within = operator === 'Softmax' || operator === 'Hardmax' ? ([0, 1] as const) : undefined;
  return html`${bars(html`<code>${x.name}</code> ${t.before}`, {
    ...{ ...shown, texts: textsOf(x), name: 'i0', levels },
    band: hasLevels ? [middle - spread, middle + spread] : undefined,
  })}
  ${behind(
    '→',
    bars(html`<code>${y.name}</code> ${t.after}`, {
      ...{ ...shown, texts: textsOf(y), name: 'o0', levels: under },
      ...(within && { within }),
    }),
  )}`;
}

function describe(subject: Subject, x: TensorReport, y: TensorReport, line: Line, stop: number): string {
  const { operator } = subject.call;
  const t = pictureTexts[subject.language];
  const [from, to] = [short(textsOf(x)[stop] ?? ''), textsOf(y)[stop] ?? ''];
  if (isSoftmax(operator)) {
    const sum = line.before.map((value) => `e^${factor(value)}`);
    const shown = sum.length > 8 ? `${sum.slice(0, 8).join(' + ')} + …` : sum.join(' + ');
    const share = `e^${factor(from)} ÷ (${shown})`;
    return operator === 'Softmax' ? `${share} = ${to}; ${t.sumIsOne}` : `ln(${share}) = ${to}`;
  }
  if (operator === 'Hardmax') return t.hardmax(from, to);
  if (!hasMean(operator)) return t.overRoot(from, short(rootOf(subject, line)), operator.startsWith('RMS'), to);
  return t.normalised(from, short(line.middle), short(line.spread), line.members.length, to);
}

export const drawing: Drawing = (subject) => {
  const [x, y] = [subject.call.inputs[0], subject.call.outputs[0]];
  if (!isKnown(x) || !isKnown(y) || x.dims.length === 0) return undefined;
  const together = togetherOf(subject, x);
  const at = (stop: number): Line => lineOf(subject, x, y, together, stop);
  if (at(0).members.length > mostBars) return undefined;
  return {
    ...elementStops(y),
    stopOf: ({ report, position }) => (report.key === x.key || report.key === y.key ? position : undefined),
    draw: (moment) => draw(subject, x, y, at(moment.stop), moment),
    describe: ({ stop }) => describe(subject, x, y, at(stop), stop),
  };
};
