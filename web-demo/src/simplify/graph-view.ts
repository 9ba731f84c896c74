// <simplify-graph>: the graph before and after side by side, on two canvases that show the same part. The drawing stands
// in a list, too.
import { select } from 'd3-selection';
import { type D3ZoomEvent, type ZoomBehavior, type ZoomTransform, zoom, zoomIdentity } from 'd3-zoom';
import { html, nothing, render, type TemplateResult } from 'lit-html';
import { ref } from 'lit-html/directives/ref.js';
import { visible } from '../../../shared/visible.js';
import { simplifyTexts } from '../texts/simplify.js';
import type { Language } from '../texts/texts.js';
import { define, LocalElement } from '../views/local-element.js';
import { type Area, draw, firstView, type Inks, spotAt, type View, wholeScale, wholeView } from './draw.js';
import { fateOf, nodesAt, type Picture, type Side, type Spot, sides } from './picture.js';

export interface GraphGiven {
  readonly picture: Picture;
  /** The same with one spot for blocks that repeat, if there are such. */
  readonly collapsed: Picture | undefined;
  readonly language: Language;
  /** The theme that was chosen: a change of it is a reason to draw again. */
  readonly theme: string;
}

type Texts = (typeof simplifyTexts)['en'];

const largestScale = 3;
const firstRows = 50;
const moreRows = 200;
/** CSS pixels that an arrow key moves the picture by. */
const step = 60;

const darkness = matchMedia('(prefers-color-scheme: dark)');
const stillness = matchMedia('(prefers-reduced-motion: reduce)');

class SimplifyGraph extends LocalElement<GraphGiven> {
  readonly #canvases = new Map<Side, HTMLCanvasElement>();
  readonly #sizes = new ResizeObserver(() => this.#resized());
  readonly #zoom: ZoomBehavior<HTMLCanvasElement, unknown>;
  #transform: ZoomTransform = zoomIdentity;
  /** Whether somebody has moved the picture: else it follows the size of its frame. */
  #isMoved = false;
  #chosen: number | undefined;
  #rows = firstRows;
  #isListed = false;
  #isCollapsed = true;
  #frame = 0;
  #inks: Inks | undefined;

  constructor() {
    super();
    this.#zoom = zoom<HTMLCanvasElement, unknown>()
      .filter((event: MouseEvent | WheelEvent | TouchEvent) => {
        // The wheel scrolls the page past a picture that nobody has turned to.
        if (event.type === 'wheel') return event.ctrlKey || document.activeElement === event.currentTarget;
        return !event.ctrlKey && !('button' in event && event.button !== 0);
      })
      .clickDistance(4)
      .on('zoom', ({ transform, sourceEvent }: D3ZoomEvent<HTMLCanvasElement, unknown>) => {
        if (sourceEvent) this.#isMoved = true;
        this.#move(transform);
      });
  }

  /** The part that is shown. */
  get #picture(): Picture {
    const { picture, collapsed } = this.given as GraphGiven;
    return (this.#isCollapsed ? collapsed : undefined) ?? picture;
  }

  connectedCallback(): void {
    darkness.addEventListener('change', this.#recolour);
  }

  disconnectedCallback(): void {
    darkness.removeEventListener('change', this.#recolour);
    cancelAnimationFrame(this.#frame);
  }

  protected receive({ picture }: GraphGiven, before: GraphGiven | undefined): void {
    this.#inks = undefined;
    if (picture !== before?.picture) {
      this.#chosen = undefined;
      this.#rows = firstRows;
      this.#isMoved = false;
    }
    this.#update();
    if (picture !== before?.picture && before !== undefined) this.#resized();
  }

  readonly #recolour = (): void => {
    this.#inks = undefined;
    this.#drawSoon();
  };

  // ---- The canvases ----

  #attach(side: Side, canvas: HTMLCanvasElement | undefined): void {
    const before = this.#canvases.get(side);
    if (canvas === before) return;
    if (before !== undefined) this.#sizes.unobserve(before);
    if (canvas === undefined) return void this.#canvases.delete(side);
    this.#canvases.set(side, canvas);
    const selection = select(canvas).call(this.#zoom);
    if (stillness.matches) selection.on('dblclick.zoom', null);
    this.#sizes.observe(canvas); // reports the first size, too
  }

  get #area(): Area {
    const canvas = this.#canvases.get('before');
    return { width: canvas?.clientWidth ?? 0, height: canvas?.clientHeight ?? 0 };
  }

  #resized(): void {
    const area = this.#area;
    const picture = this.#picture;
    if (area.width === 0) return;
    this.#zoom.scaleExtent([Math.min(1, wholeScale(picture, area)) / 2, largestScale]);
    if (this.#isMoved) this.#drawSoon();
    else this.#show(firstView(picture, area));
  }

  #show({ k, x, y }: View): void {
    this.#move(zoomIdentity.translate(x, y).scale(k));
  }

  /** Both canvases have one transform; d3-zoom keeps it at the element. */
  #move(transform: ZoomTransform): void {
    this.#transform = transform;
    for (const canvas of this.#canvases.values()) select(canvas).property('__zoom', transform);
    this.#drawSoon();
  }

  #scale(factor: number): void {
    this.#isMoved = true;
    const canvas = this.#canvases.get('before');
    if (canvas !== undefined) this.#zoom.scaleBy(select(canvas), factor);
  }

  #pan(x: number, y: number): void {
    this.#isMoved = true;
    this.#move(zoomIdentity.translate(this.#transform.x + x, this.#transform.y + y).scale(this.#transform.k));
  }

  readonly #showWhole = (): void => {
    this.#isMoved = true;
    this.#show(wholeView(this.#picture, this.#area));
  };

  readonly #drawSoon = (): void => {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => this.#draw());
  };

  #draw(): void {
    const picture = this.#picture;
    this.#inks ??= this.#readInks();
    const ratio = devicePixelRatio;
    for (const [side, canvas] of this.#canvases) {
      const area = { width: canvas.clientWidth, height: canvas.clientHeight };
      const [width, height] = [Math.round(area.width * ratio), Math.round(area.height * ratio)];
      if (canvas.width !== width) canvas.width = width;
      if (canvas.height !== height) canvas.height = height;
      const brush = canvas.getContext('2d');
      if (brush !== null) draw(brush, picture, side, this.#transform, area, ratio, this.#inks, this.#chosen);
    }
  }

  /** Custom properties hold `light-dark()` as it is written; only a property of an element has the colour. */
  #readInks(): Inks {
    const colour = (property: string): string => {
      this.style.outlineColor = `var(${property})`;
      const { outlineColor } = getComputedStyle(this);
      this.style.outlineColor = '';
      return outlineColor;
    };
    const line = colour('--ink-2');
    return {
      ...{ ink: colour('--ink'), edge: colour('--simplify-edge'), chosen: colour('--accent') },
      fills: {
        stays: colour('--surface'),
        changed: colour('--accent-soft'),
        goes: colour('--warm-soft'),
        comes: colour('--accent-soft'),
      },
      strokes: { stays: line, changed: colour('--accent'), goes: colour('--warm'), comes: colour('--accent') },
      fontFamily: getComputedStyle(this).fontFamily,
    };
  }

  // ---- Choosing ----

  #choose(spot: number | undefined): void {
    this.#chosen = spot;
    this.#update();
    this.#drawSoon();
  }

  #pick(event: MouseEvent, side: Side): void {
    const picture = this.#picture;
    const [x, y] = this.#transform.invert([event.offsetX, event.offsetY]);
    this.#choose(spotAt(picture, side, x, y));
  }

  /** Brings a node of the list to the middle. */
  #lead(index: number): void {
    const { width, height } = this.#area;
    const { x, y } = this.#picture.spots[index] as Spot;
    const k = Math.max(this.#transform.k, 0.8);
    this.#isMoved = true;
    this.#show({ k, x: width / 2 - x * k, y: height / 2 - y * k });
    this.#choose(index);
  }

  #press(event: KeyboardEvent): void {
    const moves: { readonly [key: string]: () => void } = {
      ArrowLeft: () => this.#pan(step, 0),
      ArrowRight: () => this.#pan(-step, 0),
      ArrowUp: () => this.#pan(0, step),
      ArrowDown: () => this.#pan(0, -step),
      '+': () => this.#scale(1.4),
      '=': () => this.#scale(1.4),
      '-': () => this.#scale(1 / 1.4),
      '0': this.#showWhole,
    };
    const move = Object.hasOwn(moves, event.key) ? moves[event.key] : undefined;
    if (move === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    move();
  }

  // ---- Around the canvases ----

  #update(): void {
    const { language, collapsed } = this.given as GraphGiven;
    const t: Texts = simplifyTexts[language];
    const { constants } = this.#picture;
    render(
      html`
        <div class="simplify-tools">
          <button class="button quiet" type="button" aria-label=${t.zoomIn} @click=${() => this.#scale(1.4)}>+</button>
          <button class="button quiet" type="button" aria-label=${t.zoomOut} @click=${() => this.#scale(1 / 1.4)}>−</button>
          <button class="button quiet" type="button" @click=${this.#showWhole}>${t.whole}</button>
          ${collapsed === undefined ? nothing : this.#collapseBox(t)} ${this.#legend(t)}
        </div>
        <div class="simplify-panes">${sides.map((side) => this.#pane(side, t))}</div>
        <p class="simplify-chosen" role="status">${this.#chosenText(t)}</p>
        <p class="muted">
          ${t.graphHint}
          ${constants.before + constants.after === 0 ? nothing : t.constantsLeftOut(constants.before, constants.after)}
        </p>
        ${this.#list(t)}
      `,
      this,
    );
  }

  #collapseBox(t: Texts): TemplateResult {
    return html`<label class="simplify-check">
      <input
        id="simplify-collapse"
        type="checkbox"
        .checked=${this.#isCollapsed}
        @change=${(event: Event) => this.#collapse((event.target as HTMLInputElement).checked)}
      />
      ${t.collapse}
    </label>`;
  }

  #collapse(isCollapsed: boolean): void {
    this.#isCollapsed = isCollapsed;
    this.#chosen = undefined;
    this.#isMoved = false;
    this.#update();
    this.#resized();
  }

  #legend(t: Texts): TemplateResult {
    const fates = new Set(this.#picture.spots.map(fateOf));
    return html`<ul class="simplify-legend" role="list">
      ${[...fates].map((fate) => html`<li><span class="simplify-swatch simplify-${fate}" aria-hidden="true"></span>${t.fates[fate]}</li>`)}
    </ul>`;
  }

  #pane(side: Side, t: Texts): TemplateResult {
    const count = this.#picture.spots.reduce((sum, spot) => sum + nodesAt(spot, side), 0);
    return html`<figure>
      <figcaption>${t[side]}</figcaption>
      <canvas
        ${ref((canvas) => this.#attach(side, canvas as HTMLCanvasElement | undefined))}
        id=${`simplify-${side}`}
        tabindex="0"
        role="img"
        aria-label=${t.drawing(t[side], count)}
        @click=${(event: MouseEvent) => this.#pick(event, side)}
        @keydown=${(event: KeyboardEvent) => this.#press(event)}
      ></canvas>
    </figure>`;
  }

  #nodeText(spot: Spot, t: Texts): string {
    const { operator, name } = (spot.before ?? spot.after) as NonNullable<Spot['before']>;
    if (spot.repeats !== undefined) return operator;
    return visible(`${operator} ${name === '' ? `(${t.unnamed})` : name}`);
  }

  #chosenText(t: Texts): string | TemplateResult {
    const spot = this.#chosen === undefined ? undefined : this.#picture.spots[this.#chosen];
    if (spot === undefined) return html`<span class="muted">${t.nothingChosen}</span>`;
    const { outputs } = (spot.before ?? spot.after) as NonNullable<Spot['before']>;
    const { repeats } = spot;
    const what = repeats ? t.repeats(repeats.times, repeats.nodes) : t.makes(visible(outputs.join(', ')));
    return html`<strong>${this.#nodeText(spot, t)}</strong> ${what}
      <span class="chip">${t.fates[fateOf(spot)]}</span>`;
  }

  #list(t: Texts): TemplateResult {
    const { spots } = this.#picture;
    const rest = spots.length - this.#rows;
    const row = (spot: Spot, i: number): TemplateResult => {
      const { operator, name, outputs } = (spot.before ?? spot.after) as NonNullable<Spot['before']>;
      return html`<tr>
        <th scope="row">${operator}</th>
        <td class="mono">${visible(name)}</td>
        <td class="mono">${spot.repeats ? t.repeats(spot.repeats.times, spot.repeats.nodes) : visible(outputs.join(', '))}</td>
        <td>${t.fates[fateOf(spot)]}</td>
        <td>
          <button class="button quiet simplify-show" type="button" aria-label=${t.showNode(this.#nodeText(spot, t))} @click=${() => this.#lead(i)}>
            ${t.show}
          </button>
        </td>
      </tr>`;
    };
    const toggle = (): void => {
      this.#isListed = !this.#isListed;
      this.#update();
    };
    const list = (): TemplateResult => html`<div class="scroll-x" tabindex="0" role="region" aria-label=${t.list}>
        <table>
          <thead>
            <tr>
              <th scope="col">${t.operator}</th>
              <th scope="col">${t.name}</th>
              <th scope="col">${t.outputNames}</th>
              <th scope="col">${t.fate}</th>
              <th scope="col">${t.show}</th>
            </tr>
          </thead>
          <tbody>
            ${spots.slice(0, this.#rows).map(row)}
          </tbody>
        </table>
      </div>
      ${
        rest <= 0
          ? nothing
          : html`<button class="button quiet" type="button" id="simplify-more" @click=${() => this.#showMore()}>
              ${t.more(Math.min(moreRows, rest))}
            </button>`
      }
    `;
    return html`<div class="simplify-list">
      <button class="button quiet" type="button" id="simplify-list" aria-expanded=${this.#isListed} @click=${toggle}>${t.list}</button>
      ${this.#isListed ? list() : nothing}
    </div>`;
  }

  #showMore(): void {
    this.#rows += moreRows;
    this.#update();
  }
}

define('simplify-graph', SimplifyGraph);
