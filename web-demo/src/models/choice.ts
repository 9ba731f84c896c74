// The part of the model that is chosen, the graph that is drawn, and the drawing, which a worker makes.
import type { Picture } from '../drawing/picture.js';
import { ask } from '../runtime/client.js';
import { change } from '../state.js';
import { graphAt, graphPath, type NodePath, type Nodes } from './graphs.js';
import { graphToDraw, mostDrawn } from './model-graph.js';
import { onOther, openReport } from './session.js';

/** A node; or a value of the graph at a place, at an end of the graph or on an edge. */
export type Chosen =
  | { readonly kind: 'node'; readonly path: NodePath }
  | { readonly kind: 'input' | 'output' | 'value'; readonly place: string; readonly name: string };

export type Drawing =
  | { readonly status: 'drawing' | 'tooMany' | 'failed' }
  | {
      readonly status: 'drawn';
      readonly picture: Picture;
      readonly collapsed: Picture | undefined;
      /** Constant nodes, which are not drawn. */
      readonly constants: number;
    };

interface Choice {
  readonly chosen: Chosen | undefined;
  /** The path of the graph that is drawn: nothing for the model's own. */
  readonly place: string;
  /** Counts the times that the choice should be brought into view. */
  readonly leads: number;
}

const first: Choice = { chosen: undefined, place: '', leads: 0 };
let choice = first;
let drawings = new Map<Nodes, Drawing>();

onOther(() => {
  choice = first;
  drawings = new Map();
});

export function currentChoice(): Choice {
  return choice;
}

async function draw(nodes: Nodes, place: string): Promise<void> {
  const report = openReport();
  if (report === undefined) return;
  const all = drawings;
  if (nodes.length > mostDrawn) return void all.set(nodes, { status: 'tooMany' });
  all.set(nodes, { status: 'drawing' });
  const graph = graphToDraw(report, place);
  const drawing = await ask((worker) => worker.picture(graph)).then(
    (made): Drawing => ({ status: 'drawn', ...made, constants: graph.constants }),
    (): Drawing => ({ status: 'failed' }),
  );
  all.set(nodes, drawing);
  if (all === drawings) change({});
}

/** The drawing of the graph that is looked at. It is begun when it is first asked for. */
export function currentDrawing(): Drawing {
  const report = openReport();
  const nodes = report && graphAt(report.nodes, choice.place);
  if (nodes === undefined) return { status: 'failed' };
  if (!drawings.has(nodes)) void draw(nodes, choice.place);
  return drawings.get(nodes) ?? { status: 'failed' };
}

/** Chooses; a node is shown in the drawing of its graph. */
export function choose(chosen: Chosen | undefined): void {
  const place = chosen?.kind === 'node' ? graphPath(chosen.path) : (chosen?.place ?? choice.place);
  choice = { chosen, place, leads: choice.leads + 1 };
  change({});
}

export function chooseNode(path: NodePath): void {
  choose({ kind: 'node', path });
}

/** Draws another graph. */
export function drawGraph(place: string): void {
  choice = { ...choice, place, chosen: undefined };
  change({});
}

/** The node that is chosen. */
export function chosenPath(): NodePath | undefined {
  return choice.chosen?.kind === 'node' ? choice.chosen.path : undefined;
}
