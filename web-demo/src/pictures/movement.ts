// Operators that move elements: inputs at the left, outputs at the right, and the way of each element. The indices that say
// where to are drawn, too.
import { nothing, svg, type TemplateResult } from 'lit-html';
import { visible } from '../../../shared/visible.js';
import type { TensorReport } from '../runtime/protocol.js';
import { pictureTexts } from '../texts/pictures.js';
import { indexOf } from '../views/mapping.js';
import { showDims } from '../views/units.js';
import { blockSize, cornerOf, fits, numberCell, type Point, tint } from './blocks.js';
import { cell } from './board.js';
import { indicesOf, oneHotSources } from './indices.js';
import { figure, words } from './parts.js';
import type { Drawing, Moment, Place, Plan, Subject } from './plan.js';
import { type Sources, sourcesOf } from './sources.js';
import { countTo, textsOf } from './values.js';

const gap = 18;
const across = 100;

interface Block {
  readonly report: TensorReport;
  /** `i0`, `o1`: the number of the input or output. */
  readonly name: string;
  readonly at: Point;
}

interface Layout {
  readonly blocks: readonly Block[];
  readonly width: number;
  readonly height: number;
  /** Where all blocks of the left side have ended. */
  readonly turn: number;
}

/** Reports below each other, in one column. */
function column(reports: readonly (readonly [TensorReport, string])[], x: number) {
  let y = 0;
  let width = 0;
  const blocks = reports.map(([report, name]): Block => {
    const at = { x, y };
    const size = blockSize(report);
    y += size.height + gap;
    width = Math.max(width, size.width, 8 * `${report.name} ${showDims(report.dims)}`.length);
    return { report, name, at };
  });
  return { blocks, width, height: y - gap };
}

function layoutOf(inputs: readonly (readonly [TensorReport, string])[], outputs: readonly TensorReport[]): Layout {
  const left = column(inputs, 0);
  const right = column(
    outputs.map((report, i) => [report, `o${i}`] as const),
    left.width + across,
  );
  // The lower side stands in the middle of the higher one.
  const shift = (left.height - right.height) / 2;
  const moved = (blocks: readonly Block[], by: number): Block[] =>
    blocks.map((block) => ({ ...block, at: { ...block.at, y: block.at.y + Math.max(0, by) } }));
  return {
    blocks: [...moved(left.blocks, -shift), ...moved(right.blocks, shift)],
    width: left.width + across + right.width,
    height: Math.max(left.height, right.height),
    turn: left.width,
  };
}

const blockOf = ({ blocks }: Layout, report: TensorReport): Block =>
  blocks.find((block) => block.report.key === report.key) as Block;

function pointOf(layout: Layout, { report, position }: Place): Point {
  const { at } = blockOf(layout, report);
  const { x, y } = cornerOf(report, position);
  return { x: at.x + x, y: at.y + y };
}

const ease = (share: number): number => (share < 0.5 ? 2 * share * share : 1 - (2 - 2 * share) ** 2 / 2);

const between = (from: Point, to: Point, share: number): Point => ({
  x: from.x + (to.x - from.x) * share,
  y: from.y + (to.y - from.y) * share,
});

/** The arrow from one block to another one, at the heights of two cells, with words on it. Cells are drawn over its ends. */
function way({ layout, from, to, text }: Way): TemplateResult {
  const [x1, y1] = [rightOf(layout, from), pointOf(layout, from).y + cell.height / 2];
  const [x2, y2] = [blockOf(layout, to.report).at.x, pointOf(layout, to).y + cell.height / 2];
  const start = layout.turn;
  const middle = (start + x2) / 2;
  const half = 4 * text.length + 8;
  return svg`<path class="pic-arrow" d=${`M${x1} ${y1}H${start}C${middle} ${y1} ${middle} ${y2} ${x2 - 7} ${y2}`} />
    <path class="pic-tip" d=${`M${x2} ${y2}l-8 -5v10z`} />
    ${
      text === ''
        ? nothing
        : svg`<rect class="pic-tag" x=${middle - half} y=${(y1 + y2) / 2 - 10} width=${2 * half} height="20" rx="10" />
          <text class="pic-number" x=${middle} y=${(y1 + y2) / 2}>${text}</text>`
    }` as TemplateResult;
}

interface Way {
  readonly layout: Layout;
  readonly from: Place;
  readonly to: Place;
  readonly text: string;
}

const rightOf = (layout: Layout, { report }: Place): number => blockOf(layout, report).at.x + blockSize(report).width;

interface Scene {
  readonly subject: Subject;
  readonly layout: Layout;
  readonly sources: Sources;
  readonly places: readonly Place[];
  readonly moving: ReadonlySet<string>;
}

/** The elements of the inputs, faded where no output has them. */
function inputCells({ layout, sources, moving }: Scene): TemplateResult[] {
  const used = new Set(sources.flat().map((place) => place && `${place.report.key}:${place.position}`));
  return layout.blocks
    .filter(({ name }) => name.startsWith('i'))
    .flatMap(({ report, name, at }) =>
      countTo(report.size).map((position) => {
        const { x, y } = cornerOf(report, position);
        const point = { x: at.x + x, y: at.y + y };
        const moves = moving.has(report.key);
        const isUsed = !moves || used.has(`${report.key}:${position}`);
        const fill = moves && isUsed ? tint(position, report.size) : 'var(--surface)';
        const kind = isUsed ? 'pic-box' : 'pic-box pic-unused';
        return numberCell(point, textsOf(report)[position] ?? '', `${name}:${position}`, fill, kind);
      }),
    );
}

/** The elements of the outputs, on their way. */
function outputCells({ layout, sources, places }: Scene, { progress }: Moment): TemplateResult[] {
  const share = ease(progress);
  const outputs = layout.blocks.filter(({ name }) => name.startsWith('o'));
  return places.map(({ report, position }) => {
    const block = blockOf(layout, report);
    const source = sources[outputs.indexOf(block)]?.[position];
    const to = pointOf(layout, { report, position });
    const at = source && share < 1 ? between(pointOf(layout, source), to, share) : to;
    const fill = source ? tint(source.position, source.report.size) : 'var(--surface-2)';
    const text = textsOf(report)[position] ?? '';
    return svg`${share < 1 ? svg`<rect class="pic-empty" x=${to.x} y=${to.y} width=${cell.width} height=${cell.height} />` : nothing}
      ${numberCell(at, text, `${block.name}:${position}`, fill)}` as TemplateResult;
  });
}

function frame({ x, y }: Point, kind: string): TemplateResult {
  return svg`<rect class=${`pic-mark ${kind}`} x=${x} y=${y} width=${cell.width} height=${cell.height} rx="3" />` as TemplateResult;
}

function sourceAt({ sources, layout, places }: Scene, stop: number): Place | undefined {
  const place = places[stop] as Place;
  const outputs = layout.blocks.filter(({ name }) => name.startsWith('o'));
  return sources[outputs.findIndex(({ report }) => report.key === place.report.key)]?.[place.position];
}

/** The elements of the indices that lead to an element of the output. */
function leading({ subject, places, ...scene }: Scene, stop: number): readonly Place[] {
  const source = sourceAt({ subject, places, ...scene }, stop);
  return indicesOf(subject, places[stop] as Place, source);
}

function draw(scene: Scene, moment: Moment): TemplateResult {
  const { layout, places } = scene;
  const { stop, progress } = moment;
  const source = sourceAt(scene, stop);
  const to = pointOf(layout, places[stop] as Place);
  const indices = leading(scene, stop);
  const label = indices.map(({ report, position }) => textsOf(report)[position]).join(', ');
  const captions = layout.blocks.map(({ report, at }) =>
    words('pic-label', at.x, at.y + 14, `${visible(report.name)} ${showDims(report.dims)}`),
  );
  return figure(
    nothing,
    layout.width,
    layout.height,
    svg`${captions}
      ${source && progress === 1 ? way({ layout, from: source, to: places[stop] as Place, text: label }) : nothing}
      ${inputCells(scene)}${outputCells(scene, moment)}
      ${indices.map((place) => frame(pointOf(layout, place), 'pic-best'))}
      ${source ? frame(pointOf(layout, source), 'pic-best') : nothing}
      ${progress === 1 ? frame(to, 'pic-chosen') : nothing}`,
  );
}

const named = ({ report, position }: Place): string =>
  `${visible(report.name)}[${indexOf(position, report.dims).join(', ')}]`;

function describe(scene: Scene, stop: number): string {
  const t = pictureTexts[scene.subject.language];
  const place = scene.places[stop] as Place;
  const text = textsOf(place.report)[place.position] ?? '';
  const source = sourceAt(scene, stop);
  const indices = leading(scene, stop).map((one) => `${named(one)} = ${textsOf(one.report)[one.position]}`);
  const by = indices.length > 0 ? `${t.and}${indices.join(', ')}` : '';
  const reduction = scene.subject.attributes.word('reduction') ?? 'none';
  if (source !== undefined && reduction !== 'none' && source.report.key !== scene.subject.call.inputs[0]?.key)
    return `${named(place)} = ${text}${t.and}${t.joined(named(source), reduction)}${by}`;
  return source === undefined ? t.filled(named(place), text) : `${named(place)} = ${named(source)} = ${text}${by}`;
}

/** The inputs that are drawn: what moves, and what says where to. */
function shownInputs({ call }: Subject): (readonly [TensorReport, string])[] {
  const { operator } = call;
  const isShown = (i: number): boolean =>
    i === 0 || operator === 'Concat' || /^(Gather|Scatter)/.test(operator) || (operator === 'Compress' && i === 1);
  return call.inputs.flatMap((report, i) => (report && isShown(i) ? [[report, `i${i}`] as const] : []));
}

export const drawing: Drawing = async (subject): Promise<Plan | undefined> => {
  const { call } = subject;
  const inputs = shownInputs(subject);
  const outputs = call.outputs;
  const all = [...inputs.map(([report]) => report), ...outputs];
  if (all.some((report) => report.elements === undefined || !fits(report))) return undefined;
  const sources = call.operator === 'OneHot' ? oneHotSources(subject) : await sourcesOf(subject);
  if (sources === undefined) return undefined;
  const places = outputs.flatMap((report) => countTo(report.size).map((position): Place => ({ report, position })));
  const moving = new Set(sources.flat().flatMap((place) => (place ? [place.report.key] : [])));
  const scene: Scene = { subject, sources, places, moving, layout: layoutOf(inputs, outputs) };
  const find = ({ report, position }: Place): number | undefined => {
    const at = places.findIndex((place, stop) => {
      const source = report.key === place.report.key ? place : sourceAt(scene, stop);
      return source?.report.key === report.key && source.position === position;
    });
    return at < 0 ? undefined : at;
  };
  return {
    stops: places.length,
    row: outputs[0]?.dims.at(-1) ?? 1,
    travels: true,
    placeOf: (stop) => places[stop],
    stopOf: find,
    draw: (moment) => draw(scene, moment),
    describe: ({ stop }) => describe(scene, stop),
  };
};
