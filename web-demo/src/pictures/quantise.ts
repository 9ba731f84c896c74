// Quantisation: the staircase from numbers to the few values of a small type, with the numbers of the call on it.
import { html, nothing, svg, type TemplateResult } from 'lit-html';
import { visible } from '../../../shared/visible.js';
import { typeRow } from '../facts.js';
import type { TensorReport } from '../runtime/protocol.js';
import { pictureTexts } from '../texts/pictures.js';
import { indexOf } from '../views/mapping.js';
import { callOf, ramp, tensorDraft } from './compute.js';
import { line } from './parts.js';
import { type Drawing, elementStops, type Subject } from './plan.js';
import { dot, plot, polyline, scaleOf } from './plot.js';
import { axisOf, countTo, factor, isKnown, numbersIn, numbersOf, positionAt, short, textsOf } from './values.js';

const steps = 512;
const mostScales = 16;

interface Scaling {
  readonly scale: TensorReport;
  readonly zero: TensorReport | undefined;
  /** The number of the scale for an element. */
  readonly of: (position: number) => number;
}

function scalingOf({ call, attributes }: Subject, x: TensorReport): Scaling | undefined {
  const isDynamic = call.operator === 'DynamicQuantizeLinear';
  const [scale, zero] = isDynamic ? call.outputs.slice(1) : call.inputs.slice(1);
  if (!isKnown(scale) || (zero && !isKnown(zero)) || scale.size > mostScales) return undefined;
  const axis = axisOf(attributes.integer('axis', 1), x.dims.length);
  const block = attributes.integer('block_size', 0) || 1;
  const of = (position: number): number => {
    if (scale.size === 1) return 0;
    const index = indexOf(position, x.dims);
    const at = Math.floor((index[axis] as number) / block);
    return scale.dims.length === 1 ? at : positionAt(index.with(axis, at), scale.dims);
  };
  return { scale, zero: zero ?? undefined, of };
}

const zeroText = ({ zero }: Scaling, group: number): string => textsOf(zero)[group] ?? '0';

/** The staircase of one scale over a range, as the module quantises it. */
async function staircase(
  subject: Subject,
  { scale, ...scaling }: Scaling,
  y: TensorReport,
  group: number,
  [from, to]: readonly [number, number],
) {
  const step = (to - from) / steps;
  const numbers = ramp('float32', [steps + 1], from, step);
  const [s, z] = [textsOf(scale)[group] ?? '1', zeroText({ scale, ...scaling }, group)];
  const inputs = [numbers, tensorDraft('float32', [], [s]), tensorDraft(y.type, [], [z])];
  const outputs = await subject.compute(callOf('QuantizeLinear', inputs));
  return numbersIn(outputs?.[0]?.text ?? []).map((value, i) => [from + i * step, value] as const);
}

/** Corners of a staircase: a step goes up at once. */
function corners(points: readonly (readonly [number, number])[]): (readonly [number, number])[] {
  return points.flatMap((point, i) => {
    const before = points[i - 1];
    return before !== undefined && before[1] !== point[1] ? [[point[0], before[1]] as const, point] : [point];
  });
}

function describe(subject: Subject, x: TensorReport, y: TensorReport, scaling: Scaling, stop: number): string {
  const t = pictureTexts[subject.language];
  const group = scaling.of(stop);
  const [value, result] = [textsOf(x)[stop] ?? '', textsOf(y)[stop] ?? ''];
  const [scale, zero] = [textsOf(scaling.scale)[group] ?? '', zeroText(scaling, group)];
  if (subject.call.operator === 'DequantizeLinear') {
    const shifted = zero === '0' ? factor(value) : `(${value} − ${factor(zero)})`;
    return `${shifted} × ${short(scale)} = ${result}`;
  }
  const sum = `${t.round}(${factor(value)} ÷ ${short(scale)})${zero === '0' ? '' : ` + ${factor(zero)}`}`;
  const exact = Number(value) / Number(scale) + Number(zero);
  return Math.abs(exact - Number(result)) <= 1
    ? `${sum} = ${result}`
    : `${sum} = ${short(exact)}, ${t.clipped(result)}`;
}

export const drawing: Drawing = async (subject) => {
  const { call, language } = subject;
  const t = pictureTexts[language];
  const [x, y] = [call.inputs[0], call.outputs[0]];
  if (!isKnown(x) || !isKnown(y)) return undefined;
  const scaling = scalingOf(subject, x);
  if (scaling === undefined) return undefined;
  const isBack = call.operator === 'DequantizeLinear';
  const xs = numbersOf(x);
  const ys = numbersOf(y);
  const across = scaleOf([...xs, 0]);
  const isCurved = !isBack && typeRow(y.type).kind.endsWith('integer');
  const stairs = isCurved
    ? await Promise.all(
        countTo(scaling.scale.size).map((group) => staircase(subject, scaling, y, group, [across.from, across.to])),
      )
    : [];
  const up = scaleOf([...ys, ...stairs.flat().map(([, value]) => value)]);
  const draw = (stop: number): TemplateResult => {
    const group = scaling.of(stop);
    const mates = countTo(x.size).filter((position) => scaling.of(position) === group);
    const [at, result] = [xs[stop] as number, ys[stop] as number];
    const sorted = mates.toSorted((one, other) => (xs[one] as number) - (xs[other] as number));
    return plot(
      html`<code>${visible(x.name)}</code> → <code>${visible(y.name)}</code>${scaling.scale.size > 1 ? `, ${t.scaleOf(group)}` : ''}`,
      { across, up, names: [x.name, y.name] },
      (places) => {
        const points = isCurved
          ? corners(stairs[group] ?? [])
          : sorted.map((one) => [xs[one] as number, ys[one] as number] as const);
        const path = polyline(points.map(([one, other]) => [places.x(one), places.y(other)]));
        return svg`<path class="pic-curve" d=${path} />
          ${line('pic-level', places.x(at), places.y(up.from), places.x(at), places.y(result))}
          ${line('pic-level', places.x(across.from), places.y(result), places.x(at), places.y(result))}
          ${mates.map((one) => dot('pic-dot', places.x(xs[one] as number), places.y(ys[one] as number), 5, `o0:${one}`))}
          ${Number.isFinite(at) && Number.isFinite(result) ? dot('pic-point', places.x(at), places.y(result), 7) : nothing}`;
      },
    );
  };
  return {
    ...elementStops(y),
    stopOf: ({ report, position }) => (report.key === x.key || report.key === y.key ? position : undefined),
    draw: ({ stop }) => draw(stop),
    describe: ({ stop }) => describe(subject, x, y, scaling, stop),
  };
};
