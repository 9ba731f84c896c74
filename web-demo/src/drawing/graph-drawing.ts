// A drawing of graphs on canvases that show the same part: it can be moved, and nodes can be chosen. Pages extend it by what
// stands around the canvases.
import { html, nothing, render, type TemplateResult } from 'lit-html';
import { ref } from 'lit-html/directives/ref.js';
import { drawingTexts } from '../texts/drawing.js';
import type { Language } from '../texts/texts.js';
import { LocalElement } from '../views/local-element.js';
import { Canvases } from './canvases.js';
import { spotAt } from './draw.js';
import type { FlowTexts } from './edge-labels.js';
import { labelPoint } from './edges.js';
import type { Flow } from './flat-graph.js';
import { type Direction, edgesOf, nextSpot } from './neighbours.js';
import type { Picture, Side, Spot } from './picture.js';
import './drawing.css';

export interface DrawingGiven {
  readonly picture: Picture;
  /** The picture with one spot for blocks that repeat, if there are such. */
  readonly collapsed: Picture | undefined;
  readonly language: Language;
  /** The theme that was chosen: a change of it is a reason to draw again. */
  readonly theme: string;
}

type Actions = { readonly [key: string]: () => void };

/** The edge that is marked. */
interface MarkedEdge {
  readonly side: Side;
  readonly edge: number;
  /** The spot whose edges the keys go through. */
  readonly around: number;
}

/** CSS pixels that an arrow key moves the picture by. */
const step = 60;

const darkness = matchMedia('(prefers-color-scheme: dark)');

export abstract class GraphDrawing<Given extends DrawingGiven> extends LocalElement<Given> {
  /** Begins the ids of the parts. */
  protected abstract readonly idPrefix: string;
  /** Whether a double click is for a node, and not for zooming. */
  protected readonly opensNodes: boolean = false;
  /** Whether the values of edges can be chosen. */
  protected readonly choosesFlows: boolean = false;
  /** Whether the groups of operators have colours. */
  protected readonly hasGroups: boolean = true;
  /** The least scale to begin with. */
  protected readonly firstScale: number = 0.6;
  /** The pixels above the first node to begin with. */
  protected readonly firstTop: number = 12;
  protected isCollapsed = true;
  readonly #canvases = new Canvases({
    element: this,
    picture: () => this.picture,
    marks: (side) => ({
      ...{ chosen: this.#chosen, found: this.#found, heat: this.#heat, texts: this.#texts },
      edge: this.#edge?.side === side ? this.#edge.edge : undefined,
    }),
    hasGroups: () => this.hasGroups,
    firstScale: () => this.firstScale,
    firstTop: () => this.firstTop,
    opensNodes: () => this.opensNodes,
  });
  #chosen: number | undefined;
  #edge: MarkedEdge | undefined;
  #found: ReadonlySet<number> | undefined;
  #heat: ReadonlyMap<number, number> | undefined;
  #texts: FlowTexts | undefined;

  /** The part that is shown. */
  protected get picture(): Picture {
    const { picture, collapsed } = this.given as Given;
    return (this.isCollapsed ? collapsed : undefined) ?? picture;
  }

  /** The spot that is chosen. */
  protected get chosen(): number | undefined {
    return this.#chosen;
  }

  /** The values of the edge that is marked. */
  protected get markedFlows(): readonly Flow[] | undefined {
    return this.#edge && this.picture.flows[this.#edge.side]?.[this.#edge.edge];
  }

  /** Called when somebody chooses a spot in the drawing, or none. */
  protected picked(spot: number | undefined): void {
    this.mark(spot);
  }

  /** Called when somebody chooses the value of an edge. */
  protected pickedFlow(_flow: Flow): void {}

  /** Called for a spot that somebody wants to look into. */
  protected opened(_spot: number): void {}

  /** Called for another picture. */
  protected replaced(): void {}

  /** The content of the element. */
  protected abstract template(): TemplateResult;

  /** More keys of the canvases. */
  protected keys(): Actions {
    return {};
  }

  connectedCallback(): void {
    darkness.addEventListener('change', this.#canvases.recolour);
  }

  disconnectedCallback(): void {
    darkness.removeEventListener('change', this.#canvases.recolour);
    this.#canvases.stop();
  }

  protected receive({ picture }: Given, before: Given | undefined): void {
    const isOther = picture !== before?.picture;
    if (isOther) {
      this.#chosen = undefined;
      this.#edge = undefined;
      this.#found = undefined;
      this.#heat = undefined;
      this.#texts = undefined;
      this.#canvases.forgetMoves();
      this.replaced();
    }
    this.update();
    if (isOther && before !== undefined) this.#canvases.resized();
    this.#canvases.recolour();
  }

  protected update(): void {
    render(this.template(), this);
  }

  // ---- Choosing ----

  /** Marks the chosen spot. */
  protected mark(spot: number | undefined): void {
    this.#chosen = spot;
    this.#edge = undefined;
    this.update();
    this.#canvases.drawSoon();
  }

  /** Marks an edge instead of a spot. Keys go on to the other edges of `around`. */
  protected markEdge(side: Side, edge: number, around = this.#endOf(side, edge, false)): void {
    this.#chosen = undefined;
    this.#edge = { side, edge, around };
    this.update();
    this.#canvases.drawSoon();
  }

  /** The spot where an edge begins or ends. */
  #endOf(side: Side, edge: number, isEnd: boolean): number {
    return this.picture.edges[side][2 * edge + Number(isEnd)] as number;
  }

  /** Marks the spots that a search has found. */
  protected markFound(spots: ReadonlySet<number> | undefined): void {
    this.#found = spots;
    this.#canvases.drawSoon();
  }

  /** Marks spots by their time. */
  protected markHeat(heat: ReadonlyMap<number, number> | undefined): void {
    this.#heat = heat;
    this.#canvases.drawSoon();
  }

  /** Gives edges other texts. */
  protected markTexts(texts: FlowTexts | undefined): void {
    this.#texts = texts;
    this.#canvases.drawSoon();
  }

  #spotAt(event: MouseEvent, side: Side): number | undefined {
    const { x, y } = this.#canvases.pointAt(event);
    return spotAt(this.picture, side, x, y);
  }

  /** The edge whose label, or none whose node, is under the pointer. */
  #edgeAt(event: MouseEvent, side: Side): number | undefined {
    if (!this.choosesFlows || this.#spotAt(event, side) !== undefined) return undefined;
    return this.#canvases.labelAt(side, this.#canvases.pointAt(event));
  }

  #click(event: MouseEvent, side: Side): void {
    const edge = this.#edgeAt(event, side);
    if (edge === undefined) {
      this.picked(this.#spotAt(event, side));
    } else {
      this.markEdge(side, edge);
      this.#pickFlow();
    }
  }

  #hover(event: MouseEvent, side: Side): void {
    if (event.buttons !== 0) return;
    const isOver = this.#spotAt(event, side) !== undefined || this.#edgeAt(event, side) !== undefined;
    (event.currentTarget as HTMLElement).classList.toggle('drawing-pointed', isOver);
  }

  #pickFlow(): void {
    const [flow] = this.markedFlows ?? [];
    if (flow !== undefined) this.pickedFlow(flow);
  }

  /** Brings a spot to the middle. */
  protected lead(index: number): void {
    this.#canvases.lead(this.picture.spots[index] as Spot);
  }

  /** Brings a spot into view, if it is not there. */
  protected reveal(index: number): void {
    this.#canvases.reveal(this.picture.spots[index] as Spot);
  }

  /** Brings the label of an edge into view. */
  protected revealEdge(side: Side, edge: number): void {
    const { spots } = this.picture;
    const [from, to] = [spots[this.#endOf(side, edge, false)], spots[this.#endOf(side, edge, true)]];
    this.#canvases.reveal(labelPoint(from as Spot, to as Spot));
  }

  /** The next edge of the chosen spot, or of the one nearest to the middle. */
  #stepEdge(step: number, side: Side): void {
    const around =
      this.#edge?.around ?? this.#chosen ?? nextSpot(this.picture, side, undefined, 'down', this.#canvases.middle);
    if (around === undefined) return;
    const edges = edgesOf(this.picture, side, around);
    const at = edges.indexOf(this.#edge?.edge ?? -1);
    const next = edges[at < 0 ? 0 : (at + step + edges.length) % edges.length];
    if (next === undefined) return;
    this.markEdge(side, next, around);
    this.revealEdge(side, next);
  }

  /** The next spot from the chosen one, or the one nearest to the middle. From an edge its ends, and edges beside it. */
  #step(direction: Direction, side: Side): void {
    const edge = this.#edge;
    if (edge !== undefined && (direction === 'left' || direction === 'right')) {
      this.#stepEdge(direction === 'left' ? -1 : 1, side);
      return;
    }
    const next =
      edge === undefined
        ? nextSpot(this.picture, side, this.#chosen, direction, this.#canvases.middle)
        : this.#endOf(edge.side, edge.edge, direction === 'down');
    if (next === undefined) return;
    this.picked(next);
    this.reveal(next);
  }

  #press(event: KeyboardEvent, side: Side): void {
    const steps: Actions = {
      ArrowLeft: () => this.#step('left', side),
      ArrowRight: () => this.#step('right', side),
      ArrowUp: () => this.#step('up', side),
      ArrowDown: () => this.#step('down', side),
    };
    const moves: Actions = {
      ArrowLeft: () => this.#canvases.pan(step, 0),
      ArrowRight: () => this.#canvases.pan(-step, 0),
      ArrowUp: () => this.#canvases.pan(0, step),
      ArrowDown: () => this.#canvases.pan(0, -step),
      '+': () => this.#canvases.scale(1.4),
      '=': () => this.#canvases.scale(1.4),
      '-': () => this.#canvases.scale(1 / 1.4),
      '0': () => this.#canvases.showWhole(),
      ...(this.choosesFlows ? { e: () => this.#stepEdge(1, side), E: () => this.#stepEdge(-1, side) } : {}),
      ...(this.#chosen === undefined && this.#edge === undefined ? {} : { Escape: () => this.picked(undefined) }),
      ...this.keys(),
      ...(this.#edge === undefined ? {} : { Enter: () => this.#pickFlow() }),
    };
    const actions = event.shiftKey ? { ...moves, ...steps } : moves;
    const action = Object.hasOwn(actions, event.key) ? actions[event.key] : undefined;
    if (action === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    action();
  }

  // ---- Parts for the template ----

  protected canvas(side: Side, id: string, label: string): TemplateResult {
    const open = (event: MouseEvent): void => {
      const spot = this.#spotAt(event, side);
      if (spot !== undefined) this.opened(spot);
    };
    return html`<canvas
      ${ref((canvas) => this.#canvases.attach(side, canvas as HTMLCanvasElement | undefined))}
      id=${`${this.idPrefix}-${id}`}
      tabindex="0"
      role="img"
      aria-label=${label}
      @click=${(event: MouseEvent) => this.#click(event, side)}
      @pointermove=${(event: MouseEvent) => this.#hover(event, side)}
      @dblclick=${open}
      @keydown=${(event: KeyboardEvent) => this.#press(event, side)}
    ></canvas>`;
  }

  /** The buttons for the view, followed by `more`. */
  protected tools(more: unknown = nothing): TemplateResult {
    const { language, collapsed } = this.given as Given;
    const t = drawingTexts[language];
    return html`<div class="drawing-tools">
      <button class="button quiet" type="button" aria-label=${t.zoomIn} @click=${() => this.#canvases.scale(1.4)}>+</button>
      <button class="button quiet" type="button" aria-label=${t.zoomOut} @click=${() => this.#canvases.scale(1 / 1.4)}>−</button>
      <button class="button quiet" type="button" @click=${() => this.#canvases.showWhole()}>${t.whole}</button>
      ${
        collapsed === undefined
          ? nothing
          : html`<label class="drawing-check">
              <input
                id=${`${this.idPrefix}-collapse`}
                type="checkbox"
                .checked=${this.isCollapsed}
                @change=${(event: Event) => this.collapse((event.target as HTMLInputElement).checked)}
              />
              ${t.collapse}
            </label>`
      }
      ${more}
    </div>`;
  }

  protected collapse(isCollapsed: boolean): void {
    this.isCollapsed = isCollapsed;
    this.#chosen = undefined;
    this.#edge = undefined;
    this.#found = undefined;
    this.#canvases.forgetMoves();
    this.replaced();
    this.update();
    this.#canvases.resized();
  }
}
