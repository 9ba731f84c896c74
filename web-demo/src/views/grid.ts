// <tensor-grid>: a small tensor as a grid of its last two axes, with a slider for every other axis.
import { html, nothing, render } from 'lit-html';
import { viewerTexts } from '../texts/viewer.js';
import { cellAfterKey, cellAt, cellOf, eachCell, fillTable } from './cells.js';
import { baseOf, elementsOf, type GridGiven, type Pointed, planeOf, sizesOf } from './grid-plane.js';
import { drawLines } from './lines.js';
import { define, LocalElement } from './local-element.js';
import { hasBroadcast, indexOf } from './mapping.js';
import './sliders.js';
import './grid.css';

export class TensorGrid extends LocalElement<GridGiven> {
  #outer: number[] = [];
  #current = 0;
  #plane: number | undefined;
  #lit: ((position: number) => boolean) | undefined;
  #chosen: number | undefined;

  constructor() {
    super();
    this.addEventListener('pointerover', (event) => this.point(cellAt(event.target)));
    this.addEventListener('focusin', (event) => this.#focused(cellAt(event.target)));
    this.addEventListener('keydown', (event) => this.#moved(event));
  }

  protected receive({ report }: GridGiven, before: GridGiven | undefined): void {
    if (String(report.dims) !== String(before?.report.dims)) {
      this.#outer = report.dims.slice(0, -2).map(() => 0);
      this.#current = 0;
    }
    this.#plane = undefined;
    this.#update();
  }

  /** Lights the cells of some elements, or none. */
  light(test: ((position: number) => boolean) | undefined): void {
    if (test === undefined && this.#lit === undefined) return;
    this.#lit = test;
    const table = this.#table;
    if (table === null) return;
    const base = this.#base;
    eachCell(table, (cell, index) => {
      cell.toggleAttribute('data-lit', test?.(base + index) ?? false);
    });
  }

  /** Marks the cell of the element that is described, or none. */
  choose(position: number | undefined): void {
    this.#chosen = position;
    const table = this.#table;
    if (table === null) return;
    table.querySelector('[data-chosen]')?.removeAttribute('data-chosen');
    const cell = (position ?? -1) - this.#base;
    if (cell >= 0) cellOf(table, cell)?.toggleAttribute('data-chosen', true);
  }

  /** Turns to the plane that has the element at `position`. */
  reveal(position: number): void {
    const { dims } = (this.given as GridGiven).report;
    const outer = indexOf(position, dims).slice(0, -2);
    if (String(outer) === String(this.#outer)) return;
    this.#outer = outer;
    this.#update();
  }

  get #table(): HTMLTableElement | null {
    return this.querySelector('table');
  }

  /** The position of the plane's first element. */
  get #base(): number {
    return baseOf(this.given as GridGiven, this.#outer);
  }

  #update(): void {
    const { report, language, label, window } = this.given as GridGiven;
    const t = viewerTexts[language];
    const turn = (axis: number, index: number): void => {
      this.#outer[axis] = index;
      this.#update();
    };
    const body =
      report.size === 0
        ? html`<p class="muted">${t.noElements(report.dims)}</p>`
        : html`<div class="grid-box"><table role="grid" aria-label=${label} ?data-repeats=${!window && hasBroadcast(report)}></table></div>`;
    const planes = { language, dims: report.dims, outer: [...this.#outer], turn };
    const sliders = report.size === 0 || window ? nothing : html`<plane-choice .given=${planes}></plane-choice>`;
    render(html`${sliders}${body}`, this);
    this.#fill();
    const root = this.closest('.viewer');
    if (root) drawLines(root);
  }

  #fill(): void {
    const table = this.#table;
    const base = this.#base;
    if (table === null || this.#plane === base) return;
    this.#plane = base;
    const plane = planeOf(this.given as GridGiven, base);
    fillTable(table, plane);
    this.#enter(Math.min(this.#current, plane.rows * plane.columns - 1));
    if (this.#lit) this.light(this.#lit);
    this.choose(this.#chosen);
  }

  /** Makes a cell the one that the Tab key reaches. */
  #enter(index: number): void {
    const table = this.#table;
    if (table === null) return;
    const before = cellOf(table, this.#current);
    if (before) before.tabIndex = -1;
    const now = cellOf(table, index);
    if (now) now.tabIndex = 0;
    this.#current = index;
  }

  #focused(index: number): void {
    if (index < 0) return;
    this.#enter(index);
    this.point(index);
  }

  #moved(event: KeyboardEvent): void {
    const from = cellAt(event.target);
    const { rows, columns } = sizesOf(this.given as GridGiven);
    const to = from < 0 ? undefined : cellAfterKey(event, from, rows, columns);
    if (to === undefined) return;
    event.preventDefault();
    cellOf(this.#table as HTMLTableElement, to)?.focus();
  }

  /** Tells that somebody points at a cell of the plane. */
  point(index: number): void {
    const { report } = this.given as GridGiven;
    const elements = elementsOf(this.given as GridGiven);
    const position = this.#base + index;
    if (index < 0 || position - elements.start >= elements.text.length) return;
    const detail: Pointed = { report, position, elements };
    this.dispatchEvent(new CustomEvent('pointed', { bubbles: true, detail }));
  }
}

define('tensor-grid', TensorGrid);
