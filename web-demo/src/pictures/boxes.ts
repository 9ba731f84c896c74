// NonMaxSuppression: the boxes of a class, those that are kept and those that a kept one suppresses, with how much they overlap.
import { nothing, svg, type TemplateResult } from 'lit-html';
import type { TensorReport } from '../runtime/protocol.js';
import { pictureTexts } from '../texts/pictures.js';
import { figure, words } from './parts.js';
import type { Drawing } from './plan.js';
import { countTo, isKnown, numbersOf, short, textsOf } from './values.js';

interface Box {
  readonly top: number;
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
}

const mostBoxes = 64;
const side = 360;

function boxAt(boxes: TensorReport, first: number, isCentred: boolean): Box {
  const [a, b, c, d] = [0, 1, 2, 3].map((i) => numbersOf(boxes)[first + i] as number) as [
    number,
    number,
    number,
    number,
  ];
  if (isCentred) return { top: b - d / 2, left: a - c / 2, bottom: b + d / 2, right: a + c / 2 };
  return { top: Math.min(a, c), left: Math.min(b, d), bottom: Math.max(a, c), right: Math.max(b, d) };
}

const area = ({ top, left, bottom, right }: Box): number => Math.max(0, bottom - top) * Math.max(0, right - left);

/** The area that two boxes share, of the area that either covers. */
function overlap(one: Box, other: Box): number {
  const shared = area({
    ...{ top: Math.max(one.top, other.top), left: Math.max(one.left, other.left) },
    ...{ bottom: Math.min(one.bottom, other.bottom), right: Math.min(one.right, other.right) },
  });
  return shared === 0 ? 0 : shared / (area(one) + area(other) - shared);
}

export const drawing: Drawing = ({ call, attributes, language }) => {
  const t = pictureTexts[language];
  const [boxes, scores] = call.inputs;
  const selected = call.outputs[0];
  if (!isKnown(boxes) || !isKnown(scores) || !selected?.elements) return undefined;
  const [, classes, count] = scores.dims as [number, number, number];
  if (count > mostBoxes) return undefined;
  const isCentred = attributes.integer('center_point_box', 0) === 1;
  const rows = countTo(selected.size / 3).map((row) => numbersOf(selected).slice(3 * row, 3 * row + 3));
  /** The boxes of a class that are kept, the best first. */
  const keptOf = (sample: number, one: number): number[] =>
    rows.flatMap(([batch, label, box]) => (batch === sample && label === one ? [box as number] : []));
  const whereIs = (stop: number) => ({
    sample: Math.floor(stop / (classes * count)),
    label: Math.floor(stop / count) % classes,
    box: stop % count,
  });
  const find = (stop: number) => {
    const { sample, label, box } = whereIs(stop);
    const all = countTo(count).map((i) => boxAt(boxes, (sample * count + i) * 4, isCentred));
    const score = (i: number): number => numbersOf(scores)[(sample * classes + label) * count + i] as number;
    const kept = keptOf(sample, label);
    const rivals = kept.filter((other) => other !== box && score(other) >= score(box));
    const rival = rivals.toSorted(
      (one, other) => overlap(all[box] as Box, all[other] as Box) - overlap(all[box] as Box, all[one] as Box),
    )[0];
    const share = rival === undefined ? 0 : overlap(all[box] as Box, all[rival] as Box);
    return { sample, label, box, all, kept, rival, share };
  };
  const draw = (stop: number): TemplateResult => {
    const { sample, label, box, all, kept } = find(stop);
    const [left, top] = [Math.min(...all.map((one) => one.left)), Math.min(...all.map((one) => one.top))];
    const [right, bottom] = [Math.max(...all.map((one) => one.right)), Math.max(...all.map((one) => one.bottom))];
    const scale = side / (Math.max(right - left, bottom - top) || 1);
    const first = (sample * classes + label) * count;
    const view = (i: number): TemplateResult => {
      const one = all[i] as Box;
      const [x, y] = [(one.left - left) * scale + 4, (one.top - top) * scale + 4];
      // Names of boxes that begin in nearly one place stand below each other.
      const before = all
        .slice(0, i)
        .filter((other) => Math.hypot(other.left - one.left, other.top - one.top) * scale < 70);
      const kind = `pic-boxed ${kept.includes(i) ? 'pic-kept' : 'pic-dropped'}${i === box ? ' pic-this' : ''}`;
      return svg`<g data-place=${`i1:${first + i}`}>
        <rect class=${kind} x=${x} y=${y} width=${Math.max(2, (one.right - one.left) * scale)} height=${Math.max(2, (one.bottom - one.top) * scale)} />
        ${words('pic-small pic-first', x + 5, y + 15 + 15 * before.length, `${i}: ${short(textsOf(scores)[first + i] ?? '')}`)}
      </g>` as TemplateResult;
    };
    const order = countTo(count).filter((i) => i !== box);
    const [width, height] = [(right - left) * scale + 8, (bottom - top) * scale + 8];
    return figure(
      classes > 1 || scores.dims[0] !== 1 ? t.boxesOf(sample, label) : nothing,
      Math.max(width, 200),
      height + 44,
      svg`${order.map(view)}${view(box)}
        <rect class="pic-boxed pic-kept" x="4" y=${height + 14} width="22" height="14" />${words('pic-label', 32, height + 25, t.kept)}
        <rect class="pic-boxed pic-dropped" x="100" y=${height + 14} width="22" height="14" />${words('pic-label', 128, height + 25, t.dropped)}`,
    );
  };
  return {
    ...{ stops: scores.size, row: count },
    placeOf: (stop) => ({ report: scores, position: stop }),
    stopOf: ({ report, position }) => {
      if (report.key === scores.key) return position;
      if (report.key === selected.key) {
        const [sample = 0, label = 0, box = 0] = rows[Math.floor(position / 3)] ?? [];
        return (sample * classes + label) * count + box;
      }
      const at = Math.floor(position / 4);
      return report.key === boxes.key ? Math.floor(at / count) * classes * count + (at % count) : undefined;
    },
    draw: ({ stop }) => draw(stop),
    describe: ({ stop }) => {
      const { box, kept, rival, share } = find(stop);
      const score = textsOf(scores)[stop] ?? '';
      const isKept = kept.includes(box);
      if (rival === undefined) return isKept ? t.keptBox(box, score) : t.droppedBox(box, score);
      return `${isKept ? t.keptBox(box, score) : t.droppedBox(box, score)}${t.and}${t.overlap(rival, short(share))}`;
    },
  };
};
