// Cast: the number line, with the values that the new type has, and the way from each number to one of them.
import type { DataType } from 'broadloom';
import { nothing, svg, type TemplateResult } from 'lit-html';
import { typeRow } from '../facts.js';
import type { TensorReport } from '../runtime/protocol.js';
import { shareOf, ticksOf } from '../stage/curve-scale.js';
import { pictureTexts } from '../texts/pictures.js';
import { callOf, tensorDraft } from './compute.js';
import { figure, line, words } from './parts.js';
import { type Drawing, elementStops, type Subject } from './plan.js';
import { dot, type Scale, scaleOf } from './plot.js';
import { countTo, isKnown, numberOf, numbersIn, numbersOf, short, textsOf } from './values.js';

const points = 512;
/** More values than these are drawn around the chosen number alone. */
const mostValues = 64;
const mostElements = 32;
const width = 620;

const isNumber = ({ type }: TensorReport): boolean => !/string|complex|boolean/.test(typeRow(type).kind);

/** The values that numbers of a range become: those of the type. */
async function valuesIn(subject: Subject, x: TensorReport, { from, to }: Scale): Promise<number[]> {
  const { attributes, compute } = subject;
  const isWhole = typeRow(x.type).kind.endsWith('integer');
  const numbers = countTo(points + 1).map((i) => from + (i * (to - from)) / points);
  const given = isWhole ? [...new Set(numbers.map(Math.round))] : numbers;
  const { draft } = attributes;
  const outputs = await compute({ ...draft, inputs: draft.inputs.with(0, tensorDraft(x.type, [given.length], given)) });
  const [found] = outputs ?? [];
  if (found === undefined) return [];
  const values = await exactly(subject, found.type, [...new Set(found.text)]);
  return values.filter(Number.isFinite).toSorted((a, b) => a - b);
}

/** The numbers that texts of a type mean: in few digits they are close to these alone. */
async function exactly({ compute }: Subject, type: DataType, texts: readonly string[]): Promise<readonly number[]> {
  if (typeRow(type).kind.endsWith('integer')) return texts.map(numberOf);
  const outputs = await compute(callOf('Cast', [tensorDraft(type, [texts.length], texts)], { to: 'float64' }));
  return numbersIn(outputs?.[0]?.text ?? texts);
}

/** The numbers around one, as far as a few values of the type reach. */
function around(value: number, result: number): Scale {
  const reach = 6 * Math.max(Math.abs(value - result), Math.abs(result) * 2 ** -9, 2 ** -20);
  return { from: value - reach, to: value + reach };
}

export const drawing: Drawing = async (subject) => {
  const { call, language } = subject;
  const t = pictureTexts[language];
  const [x, y] = [call.inputs[0], call.outputs[0]];
  if (!isKnown(x) || !isKnown(y) || !isNumber(x) || !isNumber(y) || x.size > mostElements) return undefined;
  const [xs, ys] = [numbersOf(x), await exactly(subject, y.type, textsOf(y))];
  const whole = scaleOf([...xs, ...ys.filter((_, i) => Number.isFinite(xs[i]))], 0.12);
  const all = await valuesIn(subject, x, whole);
  const isFew = all.length <= mostValues;
  const scales = countTo(x.size).map((i) =>
    isFew || !Number.isFinite(ys[i]) ? whole : around(xs[i] as number, ys[i] as number),
  );
  const values = isFew ? scales.map(() => all) : await Promise.all(scales.map((scale) => valuesIn(subject, x, scale)));
  const draw = (stop: number): TemplateResult => {
    const scale = scales[stop] as Scale;
    const at = (value: number): number => 24 + shareOf(value, scale) * width;
    const isIn = (value: number): boolean => value >= scale.from && value <= scale.to;
    const ticks = (values[stop] as number[]).filter(isIn);
    const [from, to] = [xs[stop] as number, ys[stop] as number];
    return figure(
      nothing,
      width + 48,
      150,
      svg`${words('pic-label', 0, 12, `${x.name}, ${x.type}`)}
        ${line('pic-axis', 24, 44, 24 + width, 44)}${line('pic-axis', 24, 110, 24 + width, 110)}
        ${ticksOf(scale, 8).map((value) => svg`${line('pic-tick', at(value), 40, at(value), 48)}${words('pic-label pic-middle', at(value), 32, short(value))}`)}
        ${ticks.map((value) => line('pic-value', at(value), 101, at(value), 119))}
        ${ticks.length <= 16 ? ticks.map((value) => words('pic-label pic-middle', at(value), 134, short(value))) : nothing}
        ${words('pic-label', 0, 150, `${y.name}, ${y.type}: ${t.valuesOfType}`)}
        ${countTo(x.size).map((i) => (isIn(xs[i] as number) && isIn(ys[i] as number) ? svg`<path class=${i === stop ? 'pic-arrow' : 'pic-faint'} d=${`M${at(xs[i] as number)} 44L${at(ys[i] as number)} 108`} />${dot('pic-dot', at(xs[i] as number), 44, 5, `i0:${i}`)}` : nothing))}
        ${isIn(from) ? dot('pic-point', at(from), 44, 7) : nothing}
        ${isIn(to) ? dot('pic-point', at(to), 110, 7) : nothing}`,
    );
  };
  return {
    ...elementStops(y),
    row: 1,
    stopOf: ({ report, position }) => (report.key === x.key || report.key === y.key ? position : undefined),
    draw: ({ stop }) => draw(stop),
    describe: ({ stop }) => `${textsOf(x)[stop]} → ${textsOf(y)[stop]}`,
  };
};
