// NonZero: each element that is not zero, and the column of the output that holds its index.
import { nothing, svg } from 'lit-html';
import { visible } from '../../../shared/visible.js';
import { pictureTexts } from '../texts/pictures.js';
import { showDims } from '../views/units.js';
import { blockSize, captionRoom, cornerOf, fits, numberCell } from './blocks.js';
import { cell } from './board.js';
import { figure, words } from './parts.js';
import type { Drawing } from './plan.js';
import { countTo, isKnown, numbersOf, positionAt, textsOf } from './values.js';

const across = 90;

export const drawing: Drawing = ({ call, language }) => {
  const [x, y] = [call.inputs[0], call.outputs[0]];
  if (!isKnown(x) || !isKnown(y) || !fits(x) || !fits(y) || x.dims.length === 0) return undefined;
  const t = pictureTexts[language];
  const [rank, count] = y.dims as [number, number];
  const indexAt = (stop: number): number[] => countTo(rank).map((axis) => numbersOf(y)[axis * count + stop] as number);
  const sourceAt = (stop: number): number => positionAt(indexAt(stop), x.dims);
  const [left, right] = [blockSize(x), blockSize(y)];
  const start = Math.max(left.width, 110) + across;
  const cells = countTo(x.size).map((position) => {
    const isZero = numbersOf(x)[position] === 0;
    const name = isZero ? 'pic-box pic-unused' : 'pic-box';
    const fill = isZero ? 'var(--surface)' : 'var(--warm-soft)';
    return numberCell(cornerOf(x, position), textsOf(x)[position] ?? '', `i0:${position}`, fill, name);
  });
  const outputs = countTo(y.size).map((position) => {
    const { x: at, y: top } = cornerOf(y, position);
    return numberCell({ x: at + start, y: top }, textsOf(y)[position] ?? '', `o0:${position}`, 'var(--surface)');
  });
  const rows = countTo(rank).map((axis) =>
    words('pic-label pic-end', start - 6, captionRoom + (axis + 0.5) * cell.height + 4, `${t.axis} ${axis}`),
  );
  return {
    stops: count,
    row: 1,
    placeOf: (stop) => ({ report: y, position: stop }),
    stopOf: ({ report, position }) => {
      if (report.key === y.key) return position % count;
      const at = report.key === x.key ? countTo(count).findIndex((stop) => sourceAt(stop) === position) : -1;
      return at < 0 ? undefined : at;
    },
    describe: ({ stop }) =>
      t.isNotZero(`${visible(x.name)}[${indexAt(stop).join(', ')}]`, textsOf(x)[sourceAt(stop)] ?? '', stop),
    draw: ({ stop }) => {
      const from = cornerOf(x, sourceAt(stop));
      const to = start + stop * cell.width;
      const [y1, bottom] = [from.y + cell.height / 2, captionRoom + rank * cell.height];
      const path = `M${left.width} ${y1}C${start - 20} ${y1} ${to + cell.width / 2} ${bottom + 90} ${to + cell.width / 2} ${bottom + 8}`;
      return figure(
        nothing,
        start + right.width,
        Math.max(left.height, right.height + 40),
        svg`${words('pic-label', 0, 14, `${visible(x.name)} ${showDims(x.dims)}`)}${words('pic-label', start, 14, `${visible(y.name)} ${showDims(y.dims)}`)}
          <path class="pic-arrow" d=${path} />${cells}${outputs}${rows}
          <path class="pic-tip" d=${`M${to + cell.width / 2} ${bottom}l-5 8h10z`} />
          <rect class="pic-mark pic-best" x=${from.x} y=${from.y} width=${cell.width} height=${cell.height} rx="3" />
          <rect class="pic-mark pic-chosen" x=${to} y=${captionRoom} width=${cell.width} height=${rank * cell.height} rx="3" />`,
      );
    },
  };
};
