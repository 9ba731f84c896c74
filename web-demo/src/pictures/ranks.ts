// TopK, ArgMax, ArgMin and Unique: the elements in their order at the top, what they are sorted into below, and lines that cross.
import { nothing, svg, type TemplateResult } from 'lit-html';
import type { TensorReport } from '../runtime/protocol.js';
import { pictureTexts } from '../texts/pictures.js';
import { indexOf } from '../views/mapping.js';
import { cell } from './board.js';
import { figure, line, words } from './parts.js';
import { type Drawing, elementStops, type Plan, type Subject } from './plan.js';
import { axisOf, countTo, isKnown, numbersOf, positionAt, short, textsOf } from './values.js';

const mostBars = 24;
const barsHeight = 110;
const top = 18;
const ranksAt = top + barsHeight + 24 + 70;

/** A place that elements are sorted into. */
interface Slot {
  readonly text: string;
  readonly place: string;
  /** The members that end there, by their number. */
  readonly from: readonly number[];
  readonly note: string;
}

interface Crossing {
  readonly x: TensorReport;
  readonly members: readonly number[];
  readonly slots: readonly Slot[];
  readonly chosen: number;
  /** Beside the elements, what they are sorted into, and the notes below. */
  readonly captions: readonly [string, string, string];
}

/** Bars, slots below them, and a line from each bar to its slot. */
function crossing({ x, members, slots, chosen, captions }: Crossing): TemplateResult {
  const step = cell.width + 6;
  const width = step * Math.max(members.length, slots.length);
  const values = members.map((position) => numbersOf(x)[position] as number);
  const finite = values.filter(Number.isFinite);
  const [low, high] = [Math.min(0, ...finite), Math.max(0, ...finite)];
  /** The height of a value; that of 0 for NaN, which has none. */
  const y = (value: number): number =>
    top + (1 - (Math.min(Math.max(value || 0, low), high) - low) / (high - low || 1)) * barsHeight;
  const slotOf = (member: number): number => slots.findIndex(({ from }) => from.includes(member));
  const shift = ((members.length - slots.length) * step) / 2;
  const centre = (slot: number): number => shift + (slot + 0.5) * step;
  const bar = (value: number, member: number): TemplateResult => {
    const [above, below] = [y(Math.max(0, value)), y(Math.min(0, value))];
    const slot = slotOf(member);
    const kind = slot < 0 ? 'pic-bar pic-bar-dull' : slot === chosen ? 'pic-bar pic-bar-chosen' : 'pic-bar';
    return svg`<g data-place=${`i0:${members[member]}`}>
      <rect class="pic-room" x=${member * step} y="0" width=${step} height=${top + barsHeight + 24} />
      <rect class=${kind} x=${member * step + 8} y=${above} width=${step - 16} height=${Math.max(1, below - above)} />
      ${words('pic-small', (member + 0.5) * step, value < 0 ? below + 12 : above - 5, short(textsOf(x)[members[member] as number] ?? ''))}
      ${words('pic-label pic-middle', (member + 0.5) * step, top + barsHeight + 18, member)}
    </g>` as TemplateResult;
  };
  const lines = members.map((_, member) => {
    const slot = slotOf(member);
    if (slot < 0) return nothing;
    const [x1, x2] = [(member + 0.5) * step, centre(slot)];
    const [y1, y2] = [top + barsHeight + 24, ranksAt];
    return svg`<path class=${slot === chosen ? 'pic-arrow' : 'pic-faint'} d=${`M${x1} ${y1}C${x1} ${(y1 + y2) / 2} ${x2} ${(y1 + y2) / 2} ${x2} ${y2}`} />`;
  });
  const boxes = slots.map(({ text, place, note }, slot) => {
    const left = centre(slot) - cell.width / 2;
    return svg`<g data-place=${place}><rect class="pic-cell" x=${left} y=${ranksAt} width=${cell.width} height=${cell.height} />
      ${words('pic-number', centre(slot), ranksAt + cell.height / 2, short(text))}
      ${words('pic-label pic-middle', centre(slot), ranksAt + cell.height + 14, note)}
      ${slot === chosen ? svg`<rect class="pic-mark pic-chosen" x=${left} y=${ranksAt} width=${cell.width} height=${cell.height} rx="3" />` : nothing}</g>`;
  });
  const right = width + 10;
  return figure(
    nothing,
    right + 90,
    ranksAt + cell.height + 20,
    svg`${line('pic-axis', 0, y(0), members.length * step, y(0))}${values.map(bar)}${lines}${boxes}
      ${words('pic-label', right, top + barsHeight + 18, captions[0])}
      ${words('pic-label', right, ranksAt + 20, captions[1])}
      ${words('pic-label', right, ranksAt + cell.height + 14, captions[2])}`,
  );
}

/** The elements along an axis. */
function along({ dims }: TensorReport, axis: number, index: readonly number[]): number[] {
  return countTo(dims[axis] as number).map((at) => positionAt(index.with(axis, at), dims));
}

/** TopK: ranks along an axis. */
function topPlan(subject: Subject, x: TensorReport): Plan | undefined {
  const { call, attributes, language } = subject;
  const [values, indices] = call.outputs;
  const axis = axisOf(attributes.integer('axis', -1), x.dims.length);
  if (!isKnown(values) || !isKnown(indices) || (x.dims[axis] as number) > mostBars) return undefined;
  const t = pictureTexts[language];
  const places = (stop: number): number[] => along(values, axis, indexOf(stop, values.dims));
  return {
    ...elementStops(values),
    stopOf: ({ report, position }) => (call.outputs.some(({ key }) => key === report.key) ? position : undefined),
    draw: ({ stop }) => {
      const index = indexOf(stop, values.dims);
      const slots = places(stop).map((place): Slot => {
        const from = numbersOf(indices)[place] as number;
        return { text: textsOf(values)[place] ?? '', place: `o0:${place}`, from: [from], note: String(from) };
      });
      return crossing({
        ...{ x, slots, members: along(x, axis, index), chosen: index[axis] as number },
        captions: [t.index, values.name, indices.name],
      });
    },
    describe: ({ stop }) =>
      t.ranked(
        (indexOf(stop, values.dims)[axis] as number) + 1,
        textsOf(values)[stop] ?? '',
        textsOf(indices)[stop] ?? '',
      ),
  };
}

/** ArgMax and ArgMin: the index of one element of each line. */
function extremePlan(subject: Subject, x: TensorReport): Plan | undefined {
  const { call, attributes, language } = subject;
  const y = call.outputs[0];
  const axis = axisOf(attributes.integer('axis', 0), x.dims.length);
  if (!isKnown(y) || (x.dims[axis] as number) > mostBars) return undefined;
  const t = pictureTexts[language];
  const membersOf = (stop: number): number[] => {
    const index = indexOf(stop, y.dims);
    return along(x, axis, y.dims.length === x.dims.length ? index : index.toSpliced(axis, 0, 0));
  };
  const best = (stop: number): number => numbersOf(y)[stop] as number;
  return {
    ...elementStops(y),
    draw: ({ stop }) => {
      const slot: Slot = { text: textsOf(y)[stop] ?? '', place: `o0:${stop}`, from: [best(stop)], note: '' };
      return crossing({ x, members: membersOf(stop), slots: [slot], chosen: 0, captions: [t.index, y.name, ''] });
    },
    describe: ({ stop }) =>
      t.extreme(
        call.operator === 'ArgMax',
        textsOf(x)[membersOf(stop)[best(stop)] as number] ?? '',
        textsOf(y)[stop] ?? '',
      ),
  };
}

/** Unique: equal elements meet in one place. */
function uniquePlan({ call, attributes, language }: Subject, x: TensorReport): Plan | undefined {
  const [y, , inverse, counts] = call.outputs;
  const isFlat = !attributes.has('axis') || x.dims.length === 1;
  if (!isFlat || !isKnown(y) || !isKnown(inverse) || !isKnown(counts) || x.size > mostBars) return undefined;
  const t = pictureTexts[language];
  const membersOf = (slot: number): number[] => countTo(x.size).filter((i) => numbersOf(inverse)[i] === slot);
  return {
    ...elementStops(y),
    draw: ({ stop }) => {
      const slots = countTo(y.size).map((slot): Slot => {
        const note = `${textsOf(counts)[slot]}×`;
        return { text: textsOf(y)[slot] ?? '', place: `o0:${slot}`, from: membersOf(slot), note };
      });
      return crossing({ x, members: countTo(x.size), slots, chosen: stop, captions: [t.index, y.name, counts.name] });
    },
    describe: ({ stop }) => t.repeated(textsOf(y)[stop] ?? '', membersOf(stop)),
  };
}

export const drawing: Drawing = (subject) => {
  const x = subject.call.inputs[0];
  if (!isKnown(x)) return undefined;
  if (subject.call.operator === 'TopK') return topPlan(subject, x);
  return subject.call.operator === 'Unique' ? uniquePlan(subject, x) : extremePlan(subject, x);
};
