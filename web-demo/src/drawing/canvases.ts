// The canvases of a drawing, which show the same part of a picture: it can be moved and zoomed, and is drawn again when it has to be.
import { select } from 'd3-selection';
import { type D3ZoomEvent, type ZoomBehavior, type ZoomTransform, zoom, zoomIdentity } from 'd3-zoom';
import { isStill } from '../views/still.js';
import { type Area, draw, firstView, type Inks, type Marks, type View, wholeScale, wholeView } from './draw.js';
import { edgeAt, type PlacedLabel } from './edge-labels.js';
import type { Point } from './edges.js';
import { readInks } from './inks.js';
import type { Picture, Side } from './picture.js';

/** The drawing that has the canvases. */
export interface CanvasesHost {
  readonly element: HTMLElement;
  readonly picture: () => Picture;
  readonly marks: (side: Side) => Marks;
  /** Whether the groups of operators have colours. */
  readonly hasGroups: () => boolean;
  /** The least scale to begin with. */
  readonly firstScale: () => number;
  /** The pixels above the first node to begin with. */
  readonly firstTop: () => number;
  /** Whether a double click is for a node, and not for zooming. */
  readonly opensNodes: () => boolean;
}

const largestScale = 3;
/** The scale from which on labels can be read well. */
const readable = 0.8;

export class Canvases {
  readonly #host: CanvasesHost;
  readonly #canvases = new Map<Side, HTMLCanvasElement>();
  readonly #sizes = new ResizeObserver(() => this.resized());
  readonly #zoom: ZoomBehavior<HTMLCanvasElement, unknown>;
  readonly #labels = new Map<Side, readonly PlacedLabel[]>();
  #transform: ZoomTransform = zoomIdentity;
  /** Whether somebody has moved the picture: else it follows the size of its frame. */
  #isMoved = false;
  #frame = 0;
  #inks: Inks | undefined;
  #drawn: Picture | undefined;

  constructor(host: CanvasesHost) {
    this.#host = host;
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

  attach(side: Side, canvas: HTMLCanvasElement | undefined): void {
    const before = this.#canvases.get(side);
    if (canvas === before) return;
    if (before !== undefined) this.#sizes.unobserve(before);
    if (canvas === undefined) return void this.#canvases.delete(side);
    this.#canvases.set(side, canvas);
    const selection = select(canvas).call(this.#zoom);
    if (this.#host.opensNodes() || isStill()) selection.on('dblclick.zoom', null);
    this.#sizes.observe(canvas); // reports the first size, too
  }

  get #area(): Area {
    const [canvas] = this.#canvases.values();
    return { width: canvas?.clientWidth ?? 0, height: canvas?.clientHeight ?? 0 };
  }

  // ---- The part that is shown ----

  /** Begins anew with another picture. */
  forgetMoves(): void {
    this.#isMoved = false;
  }

  resized(): void {
    const area = this.#area;
    const picture = this.#host.picture();
    if (area.width === 0) return;
    this.#zoom.scaleExtent([Math.min(1, wholeScale(picture, area)) / 2, largestScale]);
    if (this.#isMoved) this.drawSoon();
    else this.#show(firstView(picture, area, this.#host.firstScale(), this.#host.firstTop()));
  }

  #show({ k, x, y }: View): void {
    this.#move(zoomIdentity.translate(x, y).scale(k));
  }

  /** All canvases have one transform; d3-zoom keeps it at the element. */
  #move(transform: ZoomTransform): void {
    this.#transform = transform;
    for (const canvas of this.#canvases.values()) select(canvas).property('__zoom', transform);
    this.drawSoon();
  }

  scale(factor: number): void {
    this.#isMoved = true;
    const [canvas] = this.#canvases.values();
    if (canvas !== undefined) this.#zoom.scaleBy(select(canvas), factor);
  }

  pan(x: number, y: number): void {
    this.#isMoved = true;
    this.#move(zoomIdentity.translate(this.#transform.x + x, this.#transform.y + y).scale(this.#transform.k));
  }

  showWhole(): void {
    this.#isMoved = true;
    this.#show(wholeView(this.#host.picture(), this.#area));
  }

  /** Brings a point to the middle. */
  lead({ x, y }: Point): void {
    const { width, height } = this.#area;
    const k = Math.max(this.#transform.k, readable);
    this.#isMoved = true;
    this.#show({ k, x: width / 2 - x * k, y: height / 2 - y * k });
  }

  /** Brings a point into view, if it is not there. */
  reveal(point: Point): void {
    const { width, height } = this.#area;
    const [x, y] = this.#transform.apply([point.x, point.y]);
    const margin = 24;
    const isSeen = x > margin && x < width - margin && y > margin && y < height - margin;
    if (!isSeen || this.#transform.k < readable / 2) this.lead(point);
  }

  /** The point of the picture in the middle. */
  get middle(): Point {
    const { width, height } = this.#area;
    const [x, y] = this.#transform.invert([width / 2, height / 2]);
    return { x, y };
  }

  /** The point of the picture under the pointer. */
  pointAt({ offsetX, offsetY }: MouseEvent): Point {
    const [x, y] = this.#transform.invert([offsetX, offsetY]);
    return { x, y };
  }

  /** The edge whose label is at a point of the picture. */
  labelAt(side: Side, { x, y }: Point): number | undefined {
    return edgeAt(this.#labels.get(side) ?? [], x, y);
  }

  // ---- Drawing ----

  /** Reads the colours anew before the next drawing. */
  readonly recolour = (): void => {
    this.#inks = undefined;
    this.drawSoon();
  };

  drawSoon(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => this.#draw());
  }

  stop(): void {
    cancelAnimationFrame(this.#frame);
  }

  #draw(): void {
    const { element } = this.#host;
    const picture = this.#host.picture();
    this.#inks ??= this.#host.hasGroups() ? readInks(element) : { ...readInks(element), groups: {}, deepGroups: {} };
    const ratio = devicePixelRatio;
    for (const [side, canvas] of this.#canvases) {
      const area = { width: canvas.clientWidth, height: canvas.clientHeight };
      const [width, height] = [Math.round(area.width * ratio), Math.round(area.height * ratio)];
      if (canvas.width !== width) canvas.width = width;
      if (canvas.height !== height) canvas.height = height;
      const brush = canvas.getContext('2d');
      if (brush === null) continue;
      const marks = this.#host.marks(side);
      this.#labels.set(side, draw(brush, picture, side, this.#transform, area, ratio, this.#inks, marks));
    }
    if (this.#drawn === picture) return;
    this.#drawn = picture;
    performance.mark('graph-drawn'); // for bench/models-page.mjs
  }
}
