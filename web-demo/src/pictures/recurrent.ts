// LSTM, GRU and RNN: the hidden state through time, and the gates, as bars. Gates come from further calls of the module.
import { html, nothing, svg, type TemplateResult } from 'lit-html';
import type { TensorReport } from '../runtime/protocol.js';
import { pictureTexts } from '../texts/pictures.js';
import { indexOf } from '../views/mapping.js';
import { callOf, sameTensor, tensorDraft } from './compute.js';
import { figure, line, words } from './parts.js';
import type { Drawing, Subject } from './plan.js';
import { countTo, isKnown, numbersIn, numbersOf, product, short, textsOf } from './values.js';

const mostTimes = 24;
const mostUnits = 16;

/** A line of the drawing: a value of each unit at each time, from the first batch on. */
interface Track {
  readonly name: string;
  readonly words: string;
  readonly valueAt: (time: number, batch: number, unit: number) => number;
  readonly units: number;
  readonly placeAt?: (time: number, batch: number, unit: number) => string;
}

/** The names of gates in the order of the weights, those that the module can give by sums and a sigmoid or a tanh. */
const gatesOf: { readonly [operator: string]: readonly (readonly [name: string, isTanh: boolean])[] } = {
  LSTM: [
    ['i', false],
    ['o', false],
    ['f', false],
    ['c̃', true],
  ],
  GRU: [
    ['z', false],
    ['r', false],
  ],
};

/** Whether gates are sigmoids of sums: without peepholes, clips and other activations, and forward. */
function hasPlainGates({ call, attributes }: Subject): boolean {
  const others = ['activations', 'clip', 'input_forget'].some((name) => attributes.has(name));
  return !others && !call.inputs[7] && (attributes.word('direction') ?? 'forward') === 'forward';
}

/** Sums of products of inputs and states with the weights, then sigmoids and tanhs: all by the module. */
async function gateTracks(subject: Subject, y: TensorReport): Promise<Track[]> {
  const { call, compute, language } = subject;
  const names = gatesOf[call.operator] ?? [];
  const [x, w, r, b] = call.inputs;
  const start = call.inputs[5];
  if (
    names.length === 0 ||
    !hasPlainGates(subject) ||
    !isKnown(x) ||
    !isKnown(w) ||
    !isKnown(r) ||
    subject.attributes.integer('layout', 0) === 1
  )
    return [];
  const [times, , batches, units] = y.dims as [number, number, number, number];
  const rows = w.dims[1] as number;
  const first = start ? textsOf(start) : countTo(batches * units).map(() => '0');
  const states = [...first, ...textsOf(y).slice(0, (times - 1) * batches * units)];
  const biases = b ? textsOf(b) : countTo(2 * rows).map(() => '0');
  const flat = (report: TensorReport) => ({ ...sameTensor(report), dims: report.dims.slice(1).join(', ') });
  const product1 = (left: ReturnType<typeof tensorDraft>, right: TensorReport, bias: readonly string[]) =>
    compute(callOf('Gemm', [left, flat(right), tensorDraft(y.type, [rows], bias)], { transB: 1 }));
  const [fromX, fromH] = await Promise.all([
    product1(tensorDraft(x.type, [times * batches, x.dims[2] as number], textsOf(x)), w, biases.slice(0, rows)),
    product1(tensorDraft(y.type, [times * batches, units], states), r, biases.slice(rows)),
  ]);
  if (!fromX?.[0] || !fromH?.[0]) return [];
  const dims = [times * batches, rows];
  const sum = await compute(
    callOf('Add', [tensorDraft(y.type, dims, fromX[0].text), tensorDraft(y.type, dims, fromH[0].text)]),
  );
  if (!sum?.[0]) return [];
  const sums = tensorDraft(y.type, dims, sum[0].text);
  const [sigmoids, tanhs] = await Promise.all([compute(callOf('Sigmoid', [sums])), compute(callOf('Tanh', [sums]))]);
  const t = pictureTexts[language];
  const tracks = names.map(([name, isTanh], gate): Track => {
    const values = numbersIn((isTanh ? tanhs : sigmoids)?.[0]?.text ?? []);
    const valueAt = (time: number, batch: number, unit: number): number =>
      values[(time * batches + batch) * rows + gate * units + unit] as number;
    return { name, words: t.gates[name] ?? '', valueAt, units };
  });
  if (call.operator !== 'GRU' || !sigmoids?.[0]) return tracks;
  // The part of the last state, or of its products, that passes the reset gate goes into the new state.
  const part = (texts: readonly string[], gate: number) =>
    tensorDraft(
      y.type,
      [times * batches, units],
      texts.filter((_, i) => Math.floor((i % rows) / units) === gate),
    );
  const isLinear = subject.attributes.integer('linear_before_reset', 0) !== 0;
  const old = isLinear ? part(fromH[0].text, 2) : tensorDraft(y.type, [times * batches, units], states);
  const passed = await compute(callOf('Mul', [part(sigmoids[0].text, 1), old]));
  if (!passed?.[0]) return tracks;
  const draft = tensorDraft(y.type, [times * batches, units], passed[0].text);
  const again = isLinear ? undefined : await product1(draft, r, biases.slice(rows));
  const sums2 = await compute(callOf('Add', [part(fromX[0].text, 2), again?.[0] ? part(again[0].text, 2) : draft]));
  const news =
    sums2?.[0] &&
    (await compute(callOf('Tanh', [{ ...draft, values: { kind: 'text', text: sums2[0].text.join(', ') } }])));
  const values = numbersIn(news?.[0]?.text ?? []);
  const valueAt = (time: number, batch: number, unit: number): number =>
    values[(time * batches + batch) * units + unit] as number;
  return values.length === 0 ? tracks : [...tracks, { name: 'h̃', words: t.gates.h̃ ?? '', valueAt, units }];
}

const [left, height] = [150, 54];

export const drawing: Drawing = async (subject) => {
  const { call, attributes, language } = subject;
  const t = pictureTexts[language];
  const [x, y] = [call.inputs[0], call.outputs[0]];
  if (!isKnown(x) || !isKnown(y) || y.dims.length !== 4 || product(y.dims) === 0) return undefined;
  const isBatchFirst = attributes.integer('layout', 0) === 1;
  const [times, directions, batches, units] = (
    isBatchFirst ? [y.dims[1], y.dims[2], y.dims[0], y.dims[3]] : y.dims
  ) as [number, number, number, number];
  if (times > mostTimes || units > mostUnits) return undefined;
  const at = (time: number, direction: number, batch: number, unit: number): number =>
    (isBatchFirst
      ? (batch * times + time) * directions + direction
      : (time * directions + direction) * batches + batch) *
      units +
    unit;
  const gates = await gateTracks(subject, y);
  const size = x.dims[2] as number;
  const xAt = (time: number, batch: number, unit: number): number =>
    (isBatchFirst ? batch * times + time : time * batches + batch) * size + unit;
  const inputs: Track[] =
    size > mostUnits
      ? []
      : [
          {
            ...{ name: x.name, words: t.input, units: size },
            valueAt: (...place) => numbersOf(x)[xAt(...place)] as number,
            placeAt: (...place) => `i0:${xAt(...place)}`,
          },
        ];
  const whereIs = (stop: number) => {
    const [first, second, third, unit] = indexOf(stop, y.dims) as [number, number, number, number];
    return isBatchFirst
      ? { batch: first, time: second, direction: third, unit }
      : { time: first, direction: second, batch: third, unit };
  };
  const draw = (stop: number): TemplateResult => {
    const { time, direction, batch, unit } = whereIs(stop);
    const states: Track = {
      ...{ name: 'h', words: directions > 1 ? `${t.state}, ${t.direction} ${direction}` : t.state, units },
      valueAt: (one, sample, index) => numbersOf(y)[at(one, direction, sample, index)] as number,
      placeAt: (one, sample, index) => `o0:${at(one, direction, sample, index)}`,
    };
    const tracks = [...inputs, ...gates, states];
    const mostBars = Math.max(...tracks.map((track) => track.units));
    const width = Math.max(mostBars * 6 + 14, Math.min(110, 480 / times));
    const step = Math.min(26, (width - 14) / mostBars);
    const track = ({ name, words: meaning, units: count, valueAt, placeAt }: Track, row: number): TemplateResult => {
      const all = countTo(times).flatMap((one) => countTo(count).map((index) => valueAt(one, batch, index)));
      const most = Math.max(1, ...all.map(Math.abs).filter(Number.isFinite));
      const hasNegative = all.some((value) => value < 0);
      const top = 22 + row * (height + 16);
      const zero = hasNegative ? top + height / 2 : top + height;
      const scale = (hasNegative ? height / 2 : height) / most;
      return svg`${words('pic-small pic-track', 14, top + height / 2, name)}${words('pic-label', 34, top + height / 2, meaning)}
        ${line('pic-axis', left, zero, left + times * width, zero)}
        ${countTo(times).map((one) =>
          countTo(count).map((index) => {
            const value = valueAt(one, batch, index);
            const isChosen = one === time && (name === 'h' || count === units ? index === unit : true);
            const barHeight = Math.max(1, Math.abs(value) * scale);
            return svg`<rect class=${isChosen ? 'pic-bar pic-bar-chosen' : 'pic-bar'} data-place=${placeAt?.(one, batch, index) ?? nothing}
            x=${left + one * width + (width - count * step) / 2 + index * step} y=${value < 0 ? zero : zero - barHeight} width=${step - 2} height=${barHeight} />`;
          }),
        )}` as TemplateResult;
    };
    return html`${figure(
      nothing,
      left + times * width,
      22 + tracks.length * (height + 16),
      svg`<rect class="pic-band" x=${left + time * width} y="0" width=${width} height=${22 + tracks.length * (height + 16) - 8} rx="4" />
        ${countTo(times).map((one) => words('pic-label pic-middle', left + (one + 0.5) * width, 13, `t = ${one}`))}
        ${tracks.map(track)}`,
    )}`;
  };
  return {
    ...{ stops: y.size, row: isBatchFirst ? directions * units : directions * batches * units },
    placeOf: (stop) => ({ report: y, position: stop }),
    stopOf: ({ report, position }) => {
      if (report.key === y.key) return position;
      if (report.key !== x.key) return undefined;
      const [first, second] = indexOf(position, x.dims) as [number, number];
      return isBatchFirst ? at(second, 0, first, 0) : at(first, 0, second, 0);
    },
    draw: ({ stop }) => draw(stop),
    describe: ({ stop }) => {
      const { time, batch, unit } = whereIs(stop);
      const values = gates.map(({ name, valueAt }) => `${name} = ${short(valueAt(time, batch, unit))}`);
      return t.atTime(time, unit, [...values, `h = ${textsOf(y)[stop]}`]);
    },
  };
};
