// Reductions: the elements of a line, what is folded of them step by step, and what comes of it.
import { nothing, svg, type TemplateResult } from 'lit-html';
import { visible } from '../../../shared/visible.js';
import { typeRow } from '../facts.js';
import type { TensorReport } from '../runtime/protocol.js';
import { pictureTexts } from '../texts/pictures.js';
import { indexOf } from '../views/mapping.js';
import { numberCell } from './blocks.js';
import { cell } from './board.js';
import { figure, words } from './parts.js';
import { type Drawing, elementStops, type Plan, type Subject } from './plan.js';
import { axisOf, countTo, factor, isKnown, numbersOf, short, textsOf } from './values.js';

const most = 24;

/** How an operator folds: what is taken of each element, how two are joined, and what is done at the end. */
interface Fold {
  readonly each?: (value: number) => number;
  readonly eachName?: string;
  readonly join: (sum: number, value: number) => number;
  readonly sign: string;
  readonly end?: (count: number) => string;
}

const sum = (one: number, other: number): number => one + other;

const folds: { readonly [operator: string]: Fold } = {
  ReduceSum: { join: sum, sign: '+' },
  ReduceMean: { join: sum, sign: '+', end: (count) => `÷ ${count}` },
  ReduceMax: { join: Math.max, sign: 'max' },
  ReduceMin: { join: Math.min, sign: 'min' },
  ReduceProd: { join: (one, other) => one * other, sign: '×' },
  ReduceL1: { each: Math.abs, eachName: '|x|', join: sum, sign: '+' },
  ReduceL2: { each: (value) => value * value, eachName: 'x²', join: sum, sign: '+', end: () => '√' },
  ReduceSumSquare: { each: (value) => value * value, eachName: 'x²', join: sum, sign: '+' },
  ReduceLogSum: { join: sum, sign: '+', end: () => 'ln' },
  ReduceLogSumExp: { each: Math.exp, eachName: 'eˣ', join: sum, sign: '+', end: () => 'ln' },
};

/** The axes that a reduction folds. */
function axesOf({ call, attributes }: Subject, rank: number): ReadonlySet<number> {
  const given = call.inputs[1] ? [...numbersOf(call.inputs[1])] : attributes.integers('axes');
  if (given === undefined || given.length === 0) {
    const keeps = attributes.integer('noop_with_empty_axes', 0) === 1;
    return new Set(keeps ? [] : countTo(rank));
  }
  return new Set(given.map((axis) => axisOf(axis, rank)));
}

const left = 64;
const gap = 22;
/** From one element to the next: signs stand between them. */
const step = cell.width + 30;

interface Row {
  readonly y: number;
  readonly texts: readonly string[];
  readonly label: string;
  readonly places?: readonly string[];
  readonly kind: (i: number) => string;
}

/** A row of cells with its name at the left. */
function rowView({ y, texts, label, places, kind }: Row): TemplateResult {
  return svg`${words('pic-label pic-end', left - 8, y + cell.height / 2 + 4, label)}
    ${texts.map((text, i) => numberCell({ x: left + i * step, y }, text, places?.[i] ?? '', kind(i)))}` as TemplateResult;
}

const plain = (): string => 'var(--surface)';

/** From each running value to the next, and from each element down to its running value. */
function joins(count: number, above: number, below: number, sign: string): TemplateResult[] {
  return countTo(count).map((i) => {
    const x = left + i * step + cell.width / 2;
    return svg`<path class="pic-arrow" d=${`M${x} ${above + cell.height}V${below - 6}`} /><path class="pic-tip" d=${`M${x} ${below}l-4 -6h8z`} />
      ${i > 0 ? svg`<rect class="pic-tag" x=${x - step / 2 - 13} y=${below + cell.height / 2 - 9} width="26" height="18" rx="9" />${words('pic-small', x - step / 2, below + cell.height / 2 + 4, sign)}` : nothing}` as TemplateResult;
  });
}

function foldPlan(subject: Subject, x: TensorReport, y: TensorReport, fold: Fold): Plan | undefined {
  const t = pictureTexts[subject.language];
  const axes = axesOf(subject, x.dims.length);
  const isKept = y.dims.length === x.dims.length;
  const membersOf = (stop: number): number[] => {
    const at = indexOf(stop, y.dims);
    return countTo(x.size).filter((position) => {
      const index = indexOf(position, x.dims);
      const own = isKept
        ? index.map((one, axis) => (axes.has(axis) ? 0 : one))
        : index.filter((_, axis) => !axes.has(axis));
      return String(own) === String(at);
    });
  };
  if (membersOf(0).length > most) return undefined;
  const running = (members: readonly number[]): number[] => {
    const values = members.map((position) => (fold.each ?? Number)(numbersOf(x)[position] as number));
    return values.map((_, i) => values.slice(0, i + 1).reduce((one, other) => fold.join(one, other)));
  };
  const draw = (stop: number): TemplateResult => {
    const members = membersOf(stop);
    const texts = members.map((position) => textsOf(x)[position] ?? '');
    const steps = running(members).map(String);
    const places = members.map((position) => `i0:${position}`);
    const { each } = fold;
    const mapped = each && members.map((position) => String(each(numbersOf(x)[position] as number)));
    const second = mapped ? cell.height + gap : 0;
    const below = second + cell.height + gap + 6;
    const end = left + members.length * step - 30;
    const word = fold.end?.(members.length);
    const result = end + 34 + (word === undefined ? 0 : 12);
    return figure(
      nothing,
      result + Math.max(cell.width, 8 * y.name.length),
      below + cell.height + 2,
      svg`${rowView({ y: 0, texts, label: visible(x.name), places, kind: () => 'var(--warm-soft)' })}
        ${mapped ? rowView({ y: second, texts: mapped, label: fold.eachName ?? '', kind: plain }) : nothing}
        ${rowView({ y: below, texts: steps, label: t.soFar, kind: plain })}
        ${joins(members.length, second, below, fold.sign)}
        <path class="pic-arrow" d=${`M${end} ${below + cell.height / 2}H${result - 8}`} /><path class="pic-tip" d=${`M${result} ${below + cell.height / 2}l-8 -5v10z`} />
        ${word === undefined ? nothing : svg`<rect class="pic-tag" x=${end + 4} y=${below + cell.height / 2 - 10} width="32" height="20" rx="10" />${words('pic-small', end + 20, below + cell.height / 2 + 4, word)}`}
        ${words('pic-label', result, below - 6, visible(y.name))}
        ${numberCell({ x: result, y: below }, textsOf(y)[stop] ?? '', `o0:${stop}`, 'var(--accent-soft)')}
        <rect class="pic-mark pic-chosen" x=${result} y=${below} width=${cell.width} height=${cell.height} rx="3" />`,
    );
  };
  const describe = (stop: number): string => {
    const each = (position: number): string => {
      const text = factor(textsOf(x)[position] ?? '');
      if (fold.eachName === undefined) return text;
      return fold.eachName === '|x|'
        ? `|${short(textsOf(x)[position] ?? '')}|`
        : fold.eachName === 'x²'
          ? `${text}²`
          : `e^${text}`;
    };
    const members = membersOf(stop);
    const isFunction = fold.sign.length > 1;
    const inner = members.map(each).join(isFunction ? ', ' : ` ${fold.sign} `);
    const folded = isFunction ? `${fold.sign}(${inner})` : inner;
    const word = fold.end?.(members.length);
    const result = textsOf(y)[stop] ?? '';
    if (word === undefined) return `${folded} = ${result}`;
    const isWhole = typeRow(y.type).kind.endsWith('integer'); // a mean of integers is cut
    return word.startsWith('÷')
      ? `(${folded}) ${word} ${isWhole ? '→' : '='} ${result}`
      : `${word}(${folded}) = ${result}`;
  };
  return { ...elementStops(y), draw: ({ stop }) => draw(stop), describe: ({ stop }) => describe(stop) };
}

/** CumSum and CumProd: each element of the output with all that have gone into it. */
function runningPlan(subject: Subject, x: TensorReport, y: TensorReport): Plan | undefined {
  const { call, attributes } = subject;
  const axis = axisOf(numbersOf(call.inputs[1])[0] ?? 0, x.dims.length);
  const length = x.dims[axis] as number;
  if (length > most) return undefined;
  const isReverse = attributes.integer('reverse', 0) === 1;
  const isExclusive = attributes.integer('exclusive', 0) === 1;
  const sign = call.operator === 'CumProd' ? '×' : '+';
  const isIn = (i: number, at: number): boolean => (isReverse ? i > at : i < at) || (i === at && !isExclusive);
  const stride = x.dims.slice(axis + 1).reduce((size, dim) => size * dim, 1);
  const lineOf = (stop: number): { at: number; members: number[] } => {
    const at = indexOf(stop, x.dims)[axis] as number;
    return { at, members: countTo(length).map((i) => stop + (i - at) * stride) };
  };
  const below = cell.height + 56;
  return {
    ...elementStops(y),
    draw: ({ stop }) => {
      const { at, members } = lineOf(stop);
      const x2 = left + at * step + cell.width / 2;
      const taken = countTo(length).filter((i) => isIn(i, at));
      return figure(
        nothing,
        left + length * step,
        below + cell.height,
        svg`${rowView({ y: 0, texts: members.map((one) => textsOf(x)[one] ?? ''), label: visible(x.name), places: members.map((one) => `i0:${one}`), kind: (i) => (isIn(i, at) ? 'var(--warm-soft)' : 'var(--surface)') })}
          ${taken.map((i) => svg`<path class=${i === at || taken.length === 1 ? 'pic-arrow' : 'pic-arrow pic-thin'} d=${`M${left + i * step + cell.width / 2} ${cell.height}C${left + i * step + cell.width / 2} ${below - 20} ${x2} ${cell.height + 20} ${x2} ${below - 6}`} />`)}
          ${taken.length > 0 ? svg`<path class="pic-tip" d=${`M${x2} ${below}l-4.5 -7h9z`} />` : nothing}
          ${rowView({ y: below, texts: members.map((one) => textsOf(y)[one] ?? ''), label: visible(y.name), places: members.map((one) => `o0:${one}`), kind: plain })}
          <rect class="pic-mark pic-chosen" x=${left + at * step} y=${below} width=${cell.width} height=${cell.height} rx="3" />`,
      );
    },
    describe: ({ stop }) => {
      const { at, members } = lineOf(stop);
      const terms = members.filter((_, i) => isIn(i, at)).map((one) => factor(textsOf(x)[one] ?? ''));
      return `${terms.length === 0 ? (sign === '×' ? '1' : '0') : terms.join(` ${sign} `)} = ${textsOf(y)[stop]}`;
    },
  };
}

export const drawing: Drawing = (subject) => {
  const [x, y] = [subject.call.inputs[0], subject.call.outputs[0]];
  if (!isKnown(x) || !isKnown(y) || x.dims.length === 0) return undefined;
  const fold = folds[subject.call.operator];
  return fold ? foldPlan(subject, x, y, fold) : runningPlan(subject, x, y);
};
