// <model-graph>: the drawing of one graph of a model. A choice in it is one for the whole page.
import { html, nothing, type TemplateResult } from 'lit-html';
import { ref } from 'lit-html/directives/ref.js';
import { visible } from '../../../shared/visible.js';
import type { Flow } from '../drawing/flat-graph.js';
import { type DrawingGiven, GraphDrawing } from '../drawing/graph-drawing.js';
import { groupColour } from '../drawing/inks.js';
import type { Spot } from '../drawing/picture.js';
import { operatorGroups } from '../facts.js';
import { drawingTexts } from '../texts/drawing.js';
import { modelsTexts } from '../texts/models.js';
import { profileTexts } from '../texts/profile.js';
import { workspaceTexts } from '../texts/workspace.js';
import { define } from '../views/local-element.js';

/** A node by its number in its graph; an end of the graph, or the value of an edge, by its name. */
export type Place = number | { readonly as: 'input' | 'output' | 'value'; readonly name: string } | undefined;

export interface GraphActions {
  readonly choose: (place: Place) => void;
  /** Looks into the first graph of a node. */
  readonly open: (number: number) => void;
  /** Leaves for the graph around this one. */
  readonly leave: () => void;
  /** Gives the drawing the whole width, or takes it back. */
  readonly widen: () => void;
}

export interface ModelGraphGiven extends DrawingGiven {
  readonly chosen: Place;
  /** Changes when what is chosen should be seen. */
  readonly leads: number;
  readonly found: ReadonlySet<number> | undefined;
  /** The times of nodes, from 0 to 1 for the slowest one, by their numbers. */
  readonly heat: ReadonlyMap<number, number> | undefined;
  /** The shapes that values had in the last run, by name. */
  readonly shapes: ReadonlyMap<string, string> | undefined;
  readonly nodes: number;
  /** Constant nodes, which are not drawn. */
  readonly constants: number;
  readonly isWide: boolean;
  readonly actions: GraphActions;
}

function keyOf(place: Place): string | undefined {
  return typeof place === 'object' ? `${place.as} ${place.name}` : place === undefined ? undefined : String(place);
}

function placeOf({ after }: Spot): Place {
  const end = after?.look?.end;
  return end === undefined ? after?.look?.number : { as: end, name: after?.name ?? '' };
}

class ModelGraph extends GraphDrawing<ModelGraphGiven> {
  protected readonly idPrefix = 'models';
  protected override readonly opensNodes = true;
  protected override readonly choosesFlows = true;
  protected override readonly firstScale = 0.8;
  protected override readonly firstTop = 52; // below the buttons
  #spots = new Map<string, number>();
  /** Edges by the names of their values: of a value that flows to several nodes, the first one. */
  #edges = new Map<string, number>();

  protected override receive(given: ModelGraphGiven, before: ModelGraphGiven | undefined): void {
    super.receive(given, before);
    const isOther = given.picture !== before?.picture;
    if (isOther || given.found !== before?.found) this.#showFound();
    if (isOther || given.heat !== before?.heat) this.#showHeat();
    if (isOther || given.shapes !== before?.shapes) this.markTexts(given.shapes);
    const isChosen = keyOf(given.chosen) === keyOf(before?.chosen) && given.leads === before?.leads && !isOther;
    if (isChosen) return;
    if (typeof given.chosen === 'object' && given.chosen.as === 'value') this.#showValue(given.chosen.name);
    else this.#showChosen();
  }

  protected override replaced(): void {
    this.#spots = new Map();
    for (const [i, spot] of this.picture.spots.entries()) {
      const key = keyOf(placeOf(spot));
      if (key !== undefined) this.#spots.set(key, i);
    }
    this.#edges = new Map();
    for (const [edge, flows] of (this.picture.flows.after ?? []).entries())
      for (const { name } of flows) if (!this.#edges.has(name)) this.#edges.set(name, edge);
  }

  #showFound(): void {
    const { found } = this.given as ModelGraphGiven;
    const spots = found && [...found].flatMap((number) => this.#spots.get(String(number)) ?? []);
    this.markFound(spots && new Set(spots));
  }

  #showHeat(): void {
    const { heat } = this.given as ModelGraphGiven;
    const spots = [...(heat ?? [])].flatMap(([number, part]) => {
      const spot = this.#spots.get(String(number));
      return spot === undefined ? [] : [[spot, part] as const];
    });
    this.markHeat(heat && new Map(spots));
  }

  #showChosen(): void {
    const { chosen } = this.given as ModelGraphGiven;
    const key = keyOf(chosen);
    if (key === undefined) {
      this.mark(undefined);
      return;
    }
    // A node in a block that is not drawn is shown with all other nodes.
    const isHidden = this.isCollapsed && !this.#spots.has(key);
    if (isHidden) this.collapse(false);
    const spot = this.#spots.get(key);
    this.mark(spot);
    if (spot !== undefined) this.reveal(spot);
  }

  #showValue(name: string): void {
    if (this.markedFlows?.some((flow) => flow.name === name)) return; // it was chosen here
    if (this.isCollapsed && !this.#edges.has(name)) this.collapse(false);
    const edge = this.#edges.get(name);
    this.mark(undefined);
    if (edge === undefined) return;
    this.markEdge('after', edge);
    this.revealEdge('after', edge);
  }

  protected override pickedFlow({ name }: Flow): void {
    (this.given as ModelGraphGiven).actions.choose({ as: 'value', name });
  }

  protected override picked(spot: number | undefined): void {
    const picked = spot === undefined ? undefined : this.picture.spots[spot];
    this.mark(spot);
    (this.given as ModelGraphGiven).actions.choose(picked && placeOf(picked));
    // Collapsed blocks stay marked, though no node of the model is chosen.
    if (picked?.repeats !== undefined) this.mark(spot);
  }

  protected override opened(spot: number): void {
    const { actions } = this.given as ModelGraphGiven;
    const { look } = this.picture.spots[spot]?.after ?? {};
    if (this.picture.spots[spot]?.repeats !== undefined) this.collapse(false);
    else if (look?.hasGraphs && look.number !== undefined) actions.open(look.number);
  }

  protected override keys() {
    return {
      Enter: () => void (this.chosen !== undefined && this.opened(this.chosen)),
      Backspace: () => (this.given as ModelGraphGiven).actions.leave(),
      f: () => (this.given as ModelGraphGiven).actions.widen(),
    };
  }

  protected template(): TemplateResult {
    const { language, nodes, constants } = this.given as ModelGraphGiven;
    const t = modelsTexts[language];
    return html`
      ${this.tools(this.#wideButton())}
      <div class="drawing-panes"><figure>${this.canvas('after', 'drawing', t.drawing(nodes))}</figure></div>
      ${this.#repeatsLine()} ${this.#edgeLine()} ${this.#legend()}
      <details class="models-hint">
        <summary>${t.drawingHelp}</summary>
        <p class="muted">${drawingTexts[language].hint} ${t.drawingHint} ${workspaceTexts[language].wideKey}</p>
      </details>
      ${constants === 0 ? nothing : html`<p class="muted models-note">${t.constantsLeftOut(constants)}</p>`}
    `;
  }

  #wideButton(): TemplateResult {
    const { language, isWide, actions } = this.given as ModelGraphGiven;
    const { wide } = workspaceTexts[language];
    return html`<button class="button quiet" type="button" id="models-wide" aria-pressed=${isWide} @click=${actions.widen}>${wide}</button>`;
  }

  /** The blocks that the chosen spot stands for. */
  #repeatsLine(): TemplateResult | typeof nothing {
    const t = modelsTexts[(this.given as ModelGraphGiven).language];
    const repeats = this.chosen === undefined ? undefined : this.picture.spots[this.chosen]?.repeats;
    if (repeats === undefined) return nothing;
    return html`<p role="status">
      ${t.repeats(repeats.times, repeats.nodes.after)}
      <button class="button quiet" type="button" @click=${() => this.collapse(false)}>${t.expand}</button>
    </p>`;
  }

  /** The values of the edge that the keys have reached. */
  #edgeLine(): TemplateResult | typeof nothing {
    const { language, chosen } = this.given as ModelGraphGiven;
    const [flow, ...more] = this.markedFlows ?? [];
    if (flow === undefined || keyOf(chosen) === `value ${flow.name}`) return nothing;
    return html`<p class="models-edge" role="status">
      ${modelsTexts[language].edge(visible(flow.name), flow.text, more.length)}
    </p>`;
  }

  /** The groups of operators that the graph has, in their colours. */
  #legend(): TemplateResult | typeof nothing {
    const { language, picture, heat } = this.given as ModelGraphGiven;
    const t = modelsTexts[language];
    const looks = picture.spots.map(({ after }) => after?.look);
    const present = new Set(looks.map((look) => look?.group));
    const groups = operatorGroups.filter(({ name }) => present.has(name));
    const hasBad = looks.some((look) => look?.isUnsupported);
    const paint = (name: string) =>
      ref((element) => {
        if (element instanceof HTMLElement) element.style.background = groupColour(name);
      });
    return html`<ul class="drawing-legend" role="list" aria-label=${t.colours}>
      ${groups.map((group) => html`<li><span class="drawing-swatch" aria-hidden="true" ${paint(group.name)}></span>${visible(group[language])}</li>`)}
      ${heat ? html`<li><span class="drawing-swatch drawing-heat" aria-hidden="true"></span>${profileTexts[language].heat}</li>` : nothing}
      ${hasBad ? html`<li><span class="drawing-swatch drawing-bad" aria-hidden="true"></span>${t.unsupported}</li>` : nothing}
    </ul>`;
  }
}

define('model-graph', ModelGraph);
