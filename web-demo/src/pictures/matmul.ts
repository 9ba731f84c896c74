// Products of matrices: the row of A and the column of B meet at the element of the result that they make.
import { nothing, svg, type TemplateResult } from 'lit-html';
import { visible } from '../../../shared/visible.js';
import type { TensorReport } from '../runtime/protocol.js';
import { pictureTexts } from '../texts/pictures.js';
import { indexOf } from '../views/mapping.js';
import { showDims } from '../views/units.js';
import { type Board, boardAt, cell } from './board.js';
import { figure, line, words } from './parts.js';
import { type Drawing, elementStops, type Subject } from './plan.js';
import { countTo, factor, isKnown, numbersOf, positionAt, product, short, textsOf } from './values.js';

const gap = 14;
const caption = 20;
const most = 12;
const mostTerms = 12;

interface Parts {
  readonly a: number;
  readonly b: number;
  readonly aZero?: number;
  readonly bZero?: number;
}

const partsOf: { readonly [operator: string]: Parts } = {
  MatMulInteger: { a: 0, b: 1, aZero: 2, bZero: 3 },
  QLinearMatMul: { a: 0, b: 3, aZero: 2, bZero: 5 },
};

/** A matrix of an input: which element lies at a row and a column. */
interface Matrix {
  readonly report: TensorReport;
  readonly name: string;
  readonly rows: number;
  readonly columns: number;
  readonly isTransposed: boolean;
  /** The first element of the matrix, for a batch. */
  readonly from: (batch: readonly number[]) => number;
  /** The zero point of a row of the first matrix, or of a column of the second one. */
  readonly zeroOf: (line: number) => number;
}

function at(matrix: Matrix, batch: readonly number[], row: number, column: number): number {
  const { isTransposed, rows, columns } = matrix;
  return matrix.from(batch) + (isTransposed ? column * rows + row : row * columns + column);
}

/** The matrix of an input; vectors are one row, or one column. */
function matrixOf(subject: Subject, input: number, isFirst: boolean, zeros: number | undefined): Matrix | undefined {
  const { call, attributes } = subject;
  const report = call.inputs[input];
  if (!isKnown(report) || report.dims.length === 0) return undefined;
  const isTransposed = attributes.integer(isFirst ? 'transA' : 'transB', 0) !== 0;
  const { dims } = report;
  const isVector = dims.length === 1;
  const [first, second] = isVector ? (isFirst ? [1, dims[0]] : [dims[0], 1]) : dims.slice(-2);
  const [rows, columns] = (isTransposed ? [second, first] : [first, second]) as [number, number];
  const outer = dims.slice(0, -2);
  // Batches are broadcast: an axis of one element serves all.
  const from = (batch: readonly number[]): number => {
    const own = batch.slice(batch.length - outer.length).map((index, axis) => (outer[axis] === 1 ? 0 : index));
    return isVector ? 0 : positionAt(own, outer) * rows * columns;
  };
  const all = zeros === undefined ? [] : numbersOf(call.inputs[zeros]);
  const zeroOf = (line: number): number => all[all.length > 1 ? line : 0] ?? 0;
  return { report, name: `i${input}`, rows, columns, isTransposed, from, zeroOf };
}

/** The elements of a matrix, row by row. */
function board(matrix: Matrix, batch: readonly number[], marks: Board['marks']): Board {
  const { rows, columns, report, name, isTransposed } = matrix;
  if (!isTransposed)
    return { rows, columns, texts: textsOf(report), from: matrix.from(batch), name, marks: marks ?? [] };
  const texts = countTo(rows * columns).map(
    (i) => textsOf(report)[at(matrix, batch, Math.floor(i / columns), i % columns)] ?? '',
  );
  return { rows, columns, texts, marks: marks ?? [] };
}

export const drawing: Drawing = (subject) => {
  const { call, attributes, language } = subject;
  const t = pictureTexts[language];
  const parts = partsOf[call.operator] ?? { a: 0, b: 1 };
  const [a, b] = [matrixOf(subject, parts.a, true, parts.aZero), matrixOf(subject, parts.b, false, parts.bZero)];
  const y = call.outputs[0];
  if (a === undefined || b === undefined || !isKnown(y) || a.columns !== b.rows) return undefined;
  if (Math.max(a.rows, a.columns, b.columns) > most) return undefined;
  const [isRow, isColumn] = [a.report.dims.length === 1, b.report.dims.length === 1];
  /** The batch, the row and the column of an element of the result. */
  const whereIs = (stop: number) => {
    const index = indexOf(stop, y.dims);
    const column = isColumn ? 0 : (index.pop() as number);
    const row = isRow ? 0 : (index.pop() as number);
    return { batch: index, row, column };
  };
  const terms = (stop: number): string[] => {
    const { batch, row, column } = whereIs(stop);
    const shown = (matrix: Matrix, position: number, line: number): string => {
      const zero = matrix.zeroOf(line);
      const text = textsOf(matrix.report)[position] ?? '';
      return zero === 0 ? factor(text) : `(${short(text)} − ${factor(zero)})`;
    };
    return countTo(a.columns).map(
      (k) => `${shown(a, at(a, batch, row, k), row)} × ${shown(b, at(b, batch, k, column), column)}`,
    );
  };
  const describe = (stop: number): string => {
    const sum = terms(stop);
    const shown = sum.slice(0, mostTerms).join(' + ') + (sum.length > mostTerms ? ' + …' : '');
    const result = textsOf(y)[stop] ?? '';
    if (call.operator === 'QLinearMatMul') return `(${shown}) ${t.requantised} ${result}`;
    if (call.operator !== 'Gemm') return `${shown} = ${result}`;
    const alpha = attributes.number('alpha', 1);
    const beta = attributes.number('beta', 1);
    const c = call.inputs[2];
    const index = indexOf(stop, y.dims);
    const own = c ? index.slice(2 - c.dims.length).map((one, axis) => (c.dims[axis] === 1 ? 0 : one)) : [];
    const added = c ? textsOf(c)[positionAt(own, c.dims)] : undefined;
    const scaled = alpha === 1 ? shown : `${short(alpha)} × (${shown})`;
    const bias = added === undefined ? '' : ` + ${beta === 1 ? '' : `${short(beta)} × `}${factor(added)}`;
    return `${scaled}${bias} = ${result}`;
  };
  const [left, top] = [a.columns * cell.width + gap + 26, b.rows * cell.height + gap + caption];
  const draw = (stop: number): TemplateResult => {
    const { batch, row, column } = whereIs(stop);
    const plane = a.rows * b.columns;
    const from = Math.floor(stop / plane) * plane;
    const result: Board = {
      ...{ rows: a.rows, columns: b.columns, texts: textsOf(y), from, name: 'o0' },
      marks: [{ row, column, kind: 'chosen' }],
    };
    const first = board(a, batch, [{ row, column: 0, columns: a.columns, kind: 'best' }]);
    const second = board(b, batch, [{ row: 0, column, rows: b.rows, kind: 'best' }]);
    const x = left + (column + 0.5) * cell.width;
    const yMiddle = top + (row + 0.5) * cell.height;
    const name = ({ report, isTransposed }: Matrix): string =>
      `${visible(report.name)}${isTransposed ? 'ᵀ' : ''} ${showDims([...(isTransposed ? report.dims.toReversed() : report.dims)])}`;
    return figure(
      nothing,
      Math.max(left + b.columns * cell.width, left + 8 * name(b).length),
      top + a.rows * cell.height + caption,
      svg`${boardAt(first, 0, top)}${boardAt(second, left, caption)}
        ${line('pic-meet', a.columns * cell.width + 2, yMiddle, x - cell.width / 2, yMiddle)}
        ${line('pic-meet', x, caption + b.rows * cell.height + 2, x, yMiddle - cell.height / 2)}
        ${boardAt(result, left, top)}
        ${words('pic-label', 0, top - 6, name(a))}
        ${words('pic-label', left, 14, name(b))}
        ${words('pic-label', left, top + a.rows * cell.height + 16, `${visible(y.name)} ${showDims(y.dims)}`)}`,
    );
  };
  if (product(y.dims) === 0) return undefined;
  return {
    ...elementStops(y),
    row: isColumn ? 1 : b.columns,
    draw: ({ stop }) => draw(stop),
    describe: ({ stop }) => describe(stop),
  };
};
