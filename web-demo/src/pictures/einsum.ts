// Einsum: the elements that meet in one element of the output, in each operand, and their products.
import { html, type TemplateResult } from 'lit-html';
import { visible } from '../../../shared/visible.js';
import type { TensorReport } from '../runtime/protocol.js';
import { indexOf } from '../views/mapping.js';
import type { Board, Mark } from './board.js';
import { behind, boardFigure } from './parts.js';
import { type Drawing, elementStops } from './plan.js';
import { countTo, factor, isKnown, positionAt, product, textsOf } from './values.js';

const mostTerms = 12;

interface Equation {
  readonly operands: readonly string[];
  readonly result: string;
}

/** The letters of an equation; undefined with an ellipsis. Without an arrow the result has what occurs once, in order. */
function equationOf(text: string): Equation | undefined {
  const [left = '', right] = text.replaceAll(' ', '').split('->');
  if (text.includes('.')) return undefined;
  const letters = [...left.replaceAll(',', '')].sort();
  const once = letters.filter((letter) => letters.filter((other) => other === letter).length === 1).join('');
  return { operands: left.split(','), result: right ?? once };
}

/** A tensor of up to two axes as a plane. */
function boardOf(report: TensorReport, name: string, marks: readonly number[], kind: Mark['kind']): Board {
  const columns = report.dims.at(-1) ?? 1;
  return {
    ...{ rows: report.dims.length > 1 ? (report.dims[0] as number) : 1, columns, texts: textsOf(report), name },
    marks: marks.map((position) => ({ row: Math.floor(position / columns), column: position % columns, kind })),
  };
}

export const drawing: Drawing = ({ call, attributes }) => {
  const equation = equationOf(attributes.word('equation') ?? '');
  const y = call.outputs[0];
  const inputs = call.inputs.filter(isKnown);
  if (equation === undefined || !isKnown(y) || inputs.length !== equation.operands.length) return undefined;
  if ([...inputs, y].some(({ dims }) => dims.length > 2 || Math.max(0, ...dims) > 16)) return undefined;
  const sizes = new Map(
    equation.operands.flatMap((letters, i) =>
      [...letters].map((letter, axis): [string, number] => [letter, inputs[i]?.dims[axis] ?? 1]),
    ),
  );
  const summed = [...sizes.keys()].filter((letter) => !equation.result.includes(letter));
  /** For each product, the position of its factor in each operand. */
  const products = (stop: number): number[][] => {
    const fixed = new Map([...equation.result].map((letter, axis) => [letter, indexOf(stop, y.dims)[axis] as number]));
    const dims = summed.map((letter) => sizes.get(letter) as number);
    return countTo(product(dims)).map((one) => {
      const values = new Map([
        ...fixed,
        ...summed.map((letter, axis): [string, number] => [letter, indexOf(one, dims)[axis] as number]),
      ]);
      return inputs.map(({ dims: own }, i) =>
        positionAt(
          [...(equation.operands[i] as string)].map((letter) => values.get(letter) as number),
          own,
        ),
      );
    });
  };
  const caption = ({ name }: TensorReport, letters: string): TemplateResult =>
    html`<code>${visible(name)}</code> ${letters}`;
  return {
    ...elementStops(y),
    draw: ({ stop }) => {
      const all = products(stop);
      return html`${inputs.map((input, i) => {
        const board = boardOf(input, `i${i}`, [...new Set(all.map((places) => places[i] as number))], 'best');
        const figure = boardFigure(caption(input, equation.operands[i] as string), board);
        return i > 0 ? behind('·', figure) : figure;
      })}
      ${behind('=', boardFigure(caption(y, equation.result), boardOf(y, 'o0', [stop], 'chosen')))}`;
    },
    describe: ({ stop }) => {
      const terms = products(stop).map((places) =>
        places.map((position, i) => factor(textsOf(inputs[i])[position] ?? '')).join(' × '),
      );
      return `${terms.slice(0, mostTerms).join(' + ')}${terms.length > mostTerms ? ' + …' : ''} = ${textsOf(y)[stop]}`;
    },
  };
};
