// Attention: how much each query takes of each key, as the module computes it, with what the mask hides.
import { html, nothing, svg, type TemplateResult } from 'lit-html';
import type { CallDraft } from '../drafts.js';
import type { ComputedTensor, TensorReport } from '../runtime/protocol.js';
import { pictureTexts } from '../texts/pictures.js';
import { indexOf } from '../views/mapping.js';
import { cell } from './board.js';
import { figure, line, words } from './parts.js';
import type { Drawing, Moment, Subject } from './plan.js';
import { countTo, isKnown, numbersIn, positionAt, product, short, textsOf } from './values.js';

/** The call with the scores after softmax as its last output. */
function withScores(draft: CallDraft): CallDraft {
  return { ...draft, attributes: { ...draft.attributes, qk_matmul_output_mode: { kind: 'text', text: '3' } } };
}

const room = 64;
const mostKeys = 24;

interface Scores {
  readonly subject: Subject;
  readonly y: TensorReport;
  readonly scores: ComputedTensor;
}

/** The sample, the head and the query of a row of scores. */
const rowOf = ({ scores }: Scores, stop: number): number[] => indexOf(stop, scores.dims.slice(0, 3));

function draw(given: Scores, { stop }: Moment): TemplateResult {
  const { scores, subject } = given;
  const t = pictureTexts[subject.language];
  const [, , queries, keys] = scores.dims as [number, number, number, number];
  const [sample, head, query] = rowOf(given, stop) as [number, number, number];
  const first = positionAt([sample, head, 0, 0], scores.dims);
  const values = numbersIn(scores.text);
  const cells = countTo(queries * keys).map((i) => {
    const value = values[first + i] as number;
    const [x, y] = [room + (i % keys) * cell.width, 24 + Math.floor(i / keys) * cell.height];
    const place = `o0:${outputOf(given, stop - query + Math.floor(i / keys))}`;
    return svg`<g data-place=${place}>
      <rect class="pic-cell" x=${x} y=${y} width=${cell.width} height=${cell.height} />
      <rect class="pic-heat" x=${x} y=${y} width=${cell.width} height=${cell.height} fill-opacity=${(0.55 * value).toFixed(3)} />
      ${value === 0 ? svg`<path class="pic-hatch" d=${`M${x} ${y + cell.height}L${x + cell.width} ${y}M${x} ${y + cell.height / 2}L${x + cell.width / 2} ${y}M${x + cell.width / 2} ${y + cell.height}L${x + cell.width} ${y + cell.height / 2}`} />` : words('pic-number', x + cell.width / 2, y + cell.height / 2, short(Number(value.toPrecision(2))))}
    </g>` as TemplateResult;
  });
  const frame = svg`<rect class="pic-mark pic-window" x=${room} y=${24 + query * cell.height} width=${keys * cell.width} height=${cell.height} rx="3" />`;
  const names = svg`${countTo(keys).map((key) => words('pic-small', room + (key + 0.5) * cell.width, 16, `${t.key} ${key}`))}
    ${countTo(queries).map((row) => words('pic-label pic-end', room - 6, 24 + (row + 0.5) * cell.height + 4, `${t.query} ${row}`))}`;
  return html`${figure(t.scores(sample, head), room + keys * cell.width, 24 + queries * cell.height, svg`${cells}${names}${frame}`)}
    ${weights(given, stop)}`;
}

/** The rows of V that a query takes, each as thick as its weight. */
function weights(given: Scores, stop: number): TemplateResult | typeof nothing {
  const { subject, scores } = given;
  const v = subject.call.inputs[2];
  if (v?.dims.length !== 4 || subject.call.inputs[4]) return nothing;
  const [, heads, keys, size] = v.dims as [number, number, number, number];
  const [sample, head] = rowOf(given, stop) as [number, number];
  const own = Math.floor((head * heads) / (scores.dims[1] as number));
  if (size > 8) return nothing;
  const values = numbersIn(scores.text);
  const total = scores.dims[3] as number;
  const [left, gap] = [90, 8];
  const y = (key: number): number => 24 + (key + 0.5) * (cell.height + gap);
  const end = left + size * cell.width + 70;
  const middle = y((keys - 1) / 2);
  const rows = countTo(keys).map((key) => {
    const weight = values[stop * total + key] ?? 0;
    const at = positionAt([sample, own, key, 0], v.dims);
    return svg`${countTo(size).map((i) => svg`<g data-place=${`i2:${at + i}`}><rect class="pic-cell" x=${left + i * cell.width} y=${y(key) - cell.height / 2} width=${cell.width} height=${cell.height} />${words('pic-number', left + (i + 0.5) * cell.width, y(key), short(textsOf(v)[at + i] ?? ''))}</g>`)}
      ${words('pic-label pic-end', left - 8, y(key) + 4, `${short(Number(weight.toPrecision(2)))} ×`)}
      <path class="pic-flow" stroke-width=${(12 * weight).toFixed(2)} d=${`M${left + size * cell.width + 2} ${y(key)}C${end - 30} ${y(key)} ${end - 40} ${middle} ${end} ${middle}`} />`;
  });
  const out = outputOf(given, stop);
  const results = countTo(size).map(
    (i) =>
      svg`<g data-place=${`o0:${out + i}`}><rect class="pic-cell" x=${end + i * cell.width} y=${middle - cell.height / 2} width=${cell.width} height=${cell.height} />${words('pic-number', end + (i + 0.5) * cell.width, middle, short(textsOf(given.y)[out + i] ?? ''))}</g>`,
  );
  return figure(
    html`<code>V</code> → <code>${given.y.name}</code>`,
    end + size * cell.width,
    24 + keys * (cell.height + gap),
    svg`${rows}${results}${line('pic-axis', end, middle, end, middle)}
      <rect class="pic-mark pic-chosen" x=${end} y=${middle - cell.height / 2} width=${size * cell.width} height=${cell.height} rx="3" />`,
  );
}

/** The first element of the output that a row of scores makes. */
function outputOf(given: Scores, stop: number): number {
  const { y, scores } = given;
  const [sample, head, query] = rowOf(given, stop) as [number, number, number];
  if (y.dims.length === 4) return positionAt([sample, head, query, 0], y.dims);
  const size = (y.dims[2] as number) / (scores.dims[1] as number);
  return positionAt([sample, query, head * size], y.dims);
}

function stopAt({ y, scores }: Scores, position: number): number {
  const index = indexOf(position, y.dims);
  const heads = scores.dims[1] as number;
  const [sample, second, third] = index as [number, number, number];
  if (y.dims.length === 4) return positionAt([sample, second, third], scores.dims.slice(0, 3));
  return positionAt([sample, Math.floor(third / ((y.dims[2] as number) / heads)), second], scores.dims.slice(0, 3));
}

function describe(given: Scores, stop: number): string {
  const { scores, subject } = given;
  const t = pictureTexts[subject.language];
  const [, , query] = rowOf(given, stop) as [number, number, number];
  const keys = scores.dims[3] as number;
  const values = numbersIn(scores.text).slice(stop * keys, (stop + 1) * keys);
  const taken = values.flatMap((value, key) => (value > 0 ? [t.takes(short(Number(value.toPrecision(3))), key)] : []));
  const hidden = values.filter((value) => value === 0).length;
  return t.attends(query, taken.slice(0, 12), hidden);
}

export const drawing: Drawing = async (subject) => {
  const { call, attributes, compute } = subject;
  const y = call.outputs[0];
  const outputs = await compute(withScores(attributes.draft));
  const scores = outputs?.[3];
  if (!isKnown(y) || scores?.dims.length !== 4 || (scores.dims[3] as number) > mostKeys || product(scores.dims) === 0)
    return undefined;
  const given: Scores = { subject, y, scores };
  return {
    stops: product(scores.dims.slice(0, 3)),
    row: 1,
    placeOf: (stop) => ({ report: y, position: outputOf(given, stop) }),
    stopOf: ({ report, position }) => (report.key === y.key ? stopAt(given, position) : undefined),
    draw: (moment) => draw(given, moment),
    describe: ({ stop }) => describe(given, stop),
  };
};
