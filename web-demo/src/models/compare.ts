// The model that the open one is compared with.
import type { Problem } from '../drafts.js';
import type { Picture } from '../drawing/picture.js';
import { ask as askMain, unanswered } from '../runtime/client.js';
import { modelAmong } from '../runtime/files-given.js';
import type { Refusal } from '../runtime/protocol.js';
import { change } from '../state.js';
import { Stopped } from './connection.js';
import { type DifferenceRow, differenceRows, drawnPairs } from './differences.js';
import type { KeptModel } from './kept.js';
import { graphToDraw, mostDrawn } from './model-graph.js';
import type { CompareAnswer } from './protocol.js';
import { askModel, onOther, openReport } from './session.js';

export type Comparison =
  | { readonly status: 'reading'; readonly name: string }
  | { readonly status: 'refused'; readonly name: string; readonly problem: Problem }
  | {
      readonly status: 'compared';
      readonly name: string;
      readonly answer: CompareAnswer;
      readonly rows: readonly DifferenceRow[];
      /** Both graphs; undefined when they are too large to be drawn. */
      readonly drawing: { readonly picture: Picture; readonly collapsed: Picture | undefined } | undefined;
      /** The row that is chosen. */
      readonly chosen: number | undefined;
      /** Counts the times that the choice should be brought into view. */
      readonly leads: number;
    };

let comparison: Comparison | undefined;
let asked = Symbol();

onOther(() => {
  asked = Symbol();
  comparison = undefined;
});

export function currentComparison(): Comparison | undefined {
  return comparison;
}

export function endComparison(): void {
  asked = Symbol();
  comparison = undefined;
  change({});
}

/** Chooses a row of the differences. */
export function chooseRow(chosen: number | undefined): void {
  if (comparison?.status !== 'compared') return;
  comparison = { ...comparison, chosen, leads: comparison.leads + 1 };
  change({});
}

async function drawBoth(answer: CompareAnswer, rows: readonly DifferenceRow[]) {
  const report = openReport();
  if (report === undefined) return undefined;
  const [before, after] = [graphToDraw(report, ''), graphToDraw(answer.other, '')];
  if (Math.max(before.nodes.length, after.nodes.length) > mostDrawn) return undefined;
  const pairs = drawnPairs(before, after, answer, rows);
  return askMain((worker) => worker.pictureOfBoth(before, after, pairs));
}

/** Compares the open model with the one among these files; the others are those that it has data in. */
export async function compareWith(files: readonly File[]): Promise<void> {
  const file = modelAmong(files) ?? files[0];
  if (file === undefined) return;
  await compareWithModel({ name: file.name, source: file, beside: files.filter((other) => other !== file) });
}

export async function compareWithModel({ name, source, beside = [] }: KeptModel): Promise<void> {
  const report = openReport();
  if (report === undefined) return;
  const mark = Symbol();
  asked = mark;
  comparison = { status: 'reading', name };
  change({});
  let found: Comparison | undefined;
  try {
    const answer = await askModel<CompareAnswer | Refusal>((worker) => worker.compare(source, beside));
    if (!answer.ok) found = { status: 'refused', name, problem: answer.problem };
    else if (asked === mark) {
      const rows = differenceRows(report, answer);
      const drawing = await drawBoth(answer, rows);
      found = { status: 'compared', name, answer, rows, drawing, chosen: undefined, leads: 0 };
    }
  } catch (error) {
    if (!(error instanceof Stopped)) found = { status: 'refused', name, problem: unanswered(error).problem };
  }
  if (asked !== mark) return;
  comparison = found;
  change({});
}
