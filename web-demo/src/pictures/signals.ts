// Signals: DFT as a wave and its spectrum, windows as curves, the triangles of MelWeightMatrix.
import { html, nothing, svg, type TemplateResult } from 'lit-html';
import { visible } from '../../../shared/visible.js';
import type { TensorReport } from '../runtime/protocol.js';
import { pictureTexts } from '../texts/pictures.js';
import { indexOf } from '../views/mapping.js';
import { line } from './parts.js';
import { type Drawing, elementStops, type Plan, type Subject } from './plan.js';
import { dot, type Places, plot, polyline, scaleOf } from './plot.js';
import { spectrogramPlan } from './spectrogram.js';
import { axisOf, complex, countTo, isKnown, numbersOf, positionAt, product, short, textsOf } from './values.js';

const most = 512;

/** Stems from zero to each value, with a dot on each that is chosen by pointing. */
function stems(
  values: readonly number[],
  chosen: number,
  { x, y }: Places,
  placeOf: (i: number) => string,
): TemplateResult {
  return svg`${values.map(
    (value, i) => svg`<g data-place=${placeOf(i)}>
    <rect class="pic-room" x=${x(i - 0.5)} y="0" width=${x(1) - x(0)} height="260" />
    ${line(i === chosen ? 'pic-stem pic-stem-chosen' : 'pic-stem', x(i), y(0), x(i), y(value))}
    ${dot(i === chosen ? 'pic-point' : 'pic-dot', x(i), y(value), i === chosen ? 7 : values.length > 80 ? 2 : 4)}</g>`,
  )}` as TemplateResult;
}

const wholeScale = (count: number) => ({ from: -0.5, to: count - 0.5 });

/** A window: one number for each sample. */
function windowPlan({ call, language }: Subject): Plan | undefined {
  const y = call.outputs[0];
  if (!isKnown(y) || y.size > most) return undefined;
  const t = pictureTexts[language];
  const values = numbersOf(y);
  return {
    ...{ ...elementStops(y), row: 1 },
    draw: ({ stop }) =>
      plot(
        html`<code>${visible(y.name)}</code>`,
        { across: wholeScale(y.size), up: scaleOf([0, ...values]), names: [t.sample, ''], isWhole: true },
        (places) => {
          const path = polyline(values.map((value, i) => [places.x(i), places.y(value)]));
          return svg`<path class="pic-curve" d=${path} />${stems(values, stop, places, (i) => `o0:${i}`)}`;
        },
      ),
    describe: ({ stop }) => `${t.sample} ${stop}: ${textsOf(y)[stop]}`,
  };
}

/** The frequencies of a wave. The chosen one is drawn over it. */
function spectrumPlan(subject: Subject): Plan | undefined {
  const { call, attributes, language } = subject;
  const [x, y] = [call.inputs[0], call.outputs[0]];
  if (!isKnown(x) || !isKnown(y)) return undefined;
  if (attributes.integer('inverse', 0) === 1) return inversePlan(subject, x, y);
  if (y.dims.at(-1) !== 2) return undefined;
  const t = pictureTexts[language];
  const rank = x.dims.length;
  const given = call.inputs[2] ? numbersOf(call.inputs[2])[0] : undefined;
  const axis = axisOf(given ?? attributes.integer('axis', -2), rank);
  const [count, bins] = [x.dims[axis] as number, y.dims[axis] as number];
  if (count > most || axis === rank - 1) return undefined;
  const length = call.inputs[1] ? (numbersOf(call.inputs[1])[0] ?? count) : count;
  const isComplex = x.dims.at(-1) === 2;
  const at = (dims: readonly number[], index: readonly number[], place: number): number => {
    const own = index.map((one, i) => (i === axis ? place : Math.min(one, (dims[i] as number) - 1)));
    return own.reduce((position, one, i) => position * (dims[i] as number) + one, 0);
  };
  const partsAt = (stop: number) => {
    const index = [...indexOf(stop, y.dims).slice(0, -1), 0];
    const real = countTo(bins).map((bin) => numbersOf(y)[at(y.dims, index, bin)] as number);
    const imaginary = countTo(bins).map((bin) => numbersOf(y)[at(y.dims, index, bin) + 1] as number);
    const wave = countTo(count).map((i) => numbersOf(x)[at(x.dims, index, i)] as number);
    return { index, real, imaginary, wave, size: real.map((value, i) => Math.hypot(value, imaginary[i] as number)) };
  };
  const binOf = (stop: number): number => indexOf(stop, y.dims)[axis] as number;
  const draw = (stop: number): TemplateResult => {
    const { index, real, imaginary, wave, size } = partsAt(stop);
    const bin = binOf(stop);
    // The part of the wave that has this frequency: twice, where the spectrum has its mirror image, too.
    const isTwice = bin !== 0 && 2 * bin !== length && !isComplex;
    const angle = (2 * Math.PI * bin) / length;
    const part = countTo(8 * (count - 1) + 1).map((i): [number, number] => {
      const time = i / 8;
      const [re, im] = [real[bin] as number, imaginary[bin] as number];
      return [time, ((isTwice ? 2 : 1) * (re * Math.cos(angle * time) - im * Math.sin(angle * time))) / length];
    });
    const scale = { width: 460, height: 150, isWhole: true };
    return html`${plot(
      html`<code>${visible(x.name)}</code> ${t.wave}`,
      {
        ...scale,
        across: wholeScale(count),
        up: scaleOf([0, ...wave, ...part.map(([, value]) => value)]),
        names: [t.sample, ''],
      },
      ({
        x: px,
        y: py,
      }) => svg`<path class="pic-level pic-part" d=${polyline(part.map(([time, value]) => [px(time), py(value)]))} />
        <path class="pic-curve" d=${polyline(wave.map((value, i) => [px(i), py(value)]))} />
        ${count > 80 ? nothing : wave.map((value, i) => dot('pic-dot', px(i), py(value), 4, `i0:${at(x.dims, index, i)}`))}`,
    )}
    ${plot(
      html`<code>${visible(y.name)}</code> ${t.spectrum}`,
      { ...scale, across: wholeScale(bins), up: scaleOf([0, ...size]), names: [t.frequency, ''] },
      (places) => stems(size, bin, places, (i) => `o0:${at(y.dims, index, i)}`),
    )}`;
  };
  const perBin = product(y.dims.slice(axis + 1));
  return {
    ...{ stops: y.size / 2, row: perBin / 2 },
    placeOf: (stop) => ({ report: y, position: 2 * stop }),
    stopOf: ({ report, position }) => (report.key === y.key ? Math.floor(position / 2) : undefined),
    draw: ({ stop }) => draw(2 * stop),
    describe: ({ stop }) => {
      const { real, imaginary, size } = partsAt(2 * stop);
      const bin = binOf(2 * stop);
      return t.bin(bin, complex(real[bin] as number, imaginary[bin] as number), short(size[bin] as number));
    },
  };
}

/** The real part of a wave that a spectrum stands for. */
function inversePlan({ call, attributes, language }: Subject, x: TensorReport, y: TensorReport): Plan | undefined {
  const t = pictureTexts[language];
  const given = call.inputs[2] ? numbersOf(call.inputs[2])[0] : undefined;
  const axis = axisOf(given ?? attributes.integer('axis', -2), x.dims.length);
  const parts = y.dims.at(-1) as number;
  if (axis === x.dims.length - 1 || x.dims.at(-1) !== 2 || (x.dims[axis] as number) > most) return undefined;
  const lineOf = ({ dims }: TensorReport, index: readonly number[]): number[] =>
    countTo(dims[axis] as number).map((at) => positionAt([...index.with(axis, at).slice(0, -1), 0], dims));
  return {
    ...{ stops: y.size / parts, row: product(y.dims.slice(axis + 1, -1)) },
    placeOf: (stop) => ({ report: y, position: stop * parts }),
    stopOf: ({ report, position }) => (report.key === y.key ? Math.floor(position / parts) : undefined),
    draw: ({ stop }) => {
      const index = indexOf(stop * parts, y.dims);
      const [before, after] = [lineOf(x, index), lineOf(y, index)];
      const sizes = before.map((at) => Math.hypot(numbersOf(x)[at] as number, numbersOf(x)[at + 1] as number));
      const values = after.map((at) => numbersOf(y)[at] as number);
      const scale = { width: 460, height: 150, isWhole: true };
      const caption = (report: TensorReport, words: string) => html`<code>${visible(report.name)}</code> ${words}`;
      return html`${plot(
        caption(x, t.spectrum),
        { ...scale, across: wholeScale(sizes.length), up: scaleOf([0, ...sizes]), names: [t.frequency, ''] },
        (places) => stems(sizes, -1, places, (i) => `i0:${before[i]}`),
      )}
      ${plot(
        caption(y, ''),
        { ...scale, across: wholeScale(values.length), up: scaleOf([0, ...values]), names: [t.sample, ''] },
        (places) => stems(values, index[axis] as number, places, (i) => `o0:${after[i]}`),
      )}`;
    },
    describe: ({ stop }) => {
      const at = stop * parts;
      const value = parts === 2 ? complex(numbersOf(y)[at] as number, numbersOf(y)[at + 1] as number) : textsOf(y)[at];
      return `${t.sample} ${indexOf(at, y.dims)[axis]}: ${value}`;
    },
  };
}

/** The weights of each mel band over the bins of a spectrum. */
function melPlan({ call, language }: Subject): Plan | undefined {
  const y: TensorReport | undefined = call.outputs[0];
  if (!isKnown(y) || y.dims.length !== 2) return undefined;
  const t = pictureTexts[language];
  const [bins, bands] = y.dims as [number, number];
  const values = numbersOf(y);
  const band = (one: number): number[] => countTo(bins).map((bin) => values[bin * bands + one] as number);
  return {
    ...elementStops(y),
    draw: ({ stop }) => {
      const chosen = stop % bands;
      const bin = Math.floor(stop / bands);
      return plot(
        html`<code>${visible(y.name)}</code>`,
        { across: wholeScale(bins), up: scaleOf([0, ...values]), names: [t.frequency, t.weight], isWhole: true },
        ({ x, y: up }) => {
          const path = (one: number): string => polyline(band(one).map((value, i) => [x(i), up(value)]));
          return svg`${countTo(bands).map((one) => svg`<path class="pic-curve pic-other" d=${path(one)} />`)}
            <path class="pic-curve pic-strong" d=${path(chosen)} />
            ${band(chosen).map((value, i) => dot(i === bin ? 'pic-point' : 'pic-dot', x(i), up(value), i === bin ? 7 : 3, `o0:${i * bands + chosen}`))}`;
        },
      );
    },
    describe: ({ stop }) => t.mel(stop % bands, Math.floor(stop / bands), textsOf(y)[stop] ?? ''),
  };
}

export const drawing: Drawing = (subject) => {
  switch (subject.call.operator) {
    case 'DFT':
      return spectrumPlan(subject);
    case 'STFT':
      return spectrogramPlan(subject);
    case 'MelWeightMatrix':
      return melPlan(subject);
    default:
      return windowPlan(subject);
  }
};
