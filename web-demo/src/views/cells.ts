// The cells of a plane as a table. Made and patched by hand instead of by templates: 4096 cells must change while somebody
// types. Which cell is which follows from its place in the table, so that cells carry nothing but what is read.

export interface Plane {
  readonly rows: number;
  readonly columns: number;
  /** The headings of columns and rows, if there are any. */
  readonly columnHeader: ((column: number) => string) | undefined;
  readonly rowHeader: ((row: number) => string) | undefined;
  readonly text: (cell: number) => string;
  readonly label: (cell: number) => string;
  readonly isRepeat: (cell: number) => boolean;
}

const shapes = new WeakMap<HTMLTableElement, string>();

function header(text: string, scope: 'row' | 'col'): HTMLTableCellElement {
  const cell = document.createElement('th');
  cell.scope = scope;
  cell.textContent = text;
  cell.setAttribute('role', scope === 'row' ? 'rowheader' : 'columnheader');
  return cell;
}

function row(): HTMLTableRowElement {
  const element = document.createElement('tr');
  element.setAttribute('role', 'row');
  return element;
}

function build(table: HTMLTableElement, { rows, columns, columnHeader, rowHeader }: Plane): void {
  const head = document.createElement('thead');
  const body = document.createElement('tbody');
  head.setAttribute('role', 'rowgroup');
  body.setAttribute('role', 'rowgroup');
  if (columnHeader) {
    const line = row();
    if (rowHeader) line.append(document.createElement('td'));
    for (let column = 0; column < columns; column++) line.append(header(columnHeader(column), 'col'));
    head.append(line);
  }
  const cell = document.createElement('td');
  cell.setAttribute('role', 'gridcell');
  cell.tabIndex = -1;
  cell.append('');
  for (let index = 0; index < rows; index++) {
    const line = row();
    if (rowHeader) line.append(header(rowHeader(index), 'row'));
    for (let column = 0; column < columns; column++) line.append(cell.cloneNode(true));
    body.append(line);
  }
  table.replaceChildren(head, body);
}

/** The width of a text in digits, about: letters of other scripts may be as wide as two. */
function widthOf(text: string): number {
  return text.length + (text.match(/[^\0-\u02ff]/g)?.length ?? 0);
}

/** Columns that are shown at once. Later columns are mostly out of sight: they follow when typing rests. */
const firstColumns = 24;
const rest = 150;
const waiting = new WeakMap<HTMLTableElement, ReturnType<typeof setTimeout>>();

/** Shows a plane; cells are kept if the sizes equal the sizes of the plane before. */
export function fillTable(table: HTMLTableElement, plane: Plane): void {
  const { rows, columns, columnHeader, rowHeader } = plane;
  const shape = `${rows},${columns},${columnHeader?.(0)},${rowHeader?.(0)}`;
  const isNew = shapes.get(table) !== shape;
  if (isNew) build(table, plane);
  shapes.set(table, shape);
  let characters = 0;
  for (let column = 0; columnHeader && column < columns; column++)
    characters = Math.max(characters, widthOf(columnHeader(column)));
  for (let index = 0; index < rows * columns; index++) characters = Math.max(characters, widthOf(plane.text(index)));
  table.style.setProperty('--characters', String(characters));
  table.style.setProperty('--header-characters', String(widthOf(rowHeader?.(rows - 1) ?? '')));
  clearTimeout(waiting.get(table));
  const atOnce = isNew ? columns : firstColumns;
  fillCells(table, plane, 0, atOnce);
  if (atOnce < columns) waiting.set(table, setTimeout(fillCells, rest, table, plane, atOnce, columns));
}

function fillCells(table: HTMLTableElement, plane: Plane, from: number, to: number): void {
  eachCell(table, (cell, index) => {
    const column = index % plane.columns;
    if (column < from || column >= to) return;
    const text = plane.text(index);
    const node = cell.firstChild as Text;
    if (node.data !== text) node.data = text;
    const label = plane.label(index);
    if (cell.ariaLabel !== label) cell.ariaLabel = label;
    const className = plane.isRepeat(index) ? 'grid-repeat' : '';
    if (cell.className !== className) cell.className = className;
  });
}

export function eachCell(table: HTMLTableElement, use: (cell: HTMLElement, index: number) => void): void {
  let index = 0;
  for (const line of table.tBodies[0]?.children ?? []) {
    for (const cell of line.children) if (cell.localName === 'td') use(cell as HTMLElement, index++);
  }
}

/** The number of the cell that an event happened in; -1 outside of cells. */
export function cellAt(target: EventTarget | null): number {
  const cell = (target as Element | null)?.closest?.('[role=gridcell]') as HTMLTableCellElement | null;
  const line = cell?.parentElement as HTMLTableRowElement | undefined;
  if (!cell || !line) return -1;
  const headers = line.firstElementChild?.localName === 'th' ? 1 : 0;
  return line.sectionRowIndex * (line.cells.length - headers) + cell.cellIndex - headers;
}

export function cellOf(table: HTMLTableElement, index: number): HTMLElement | undefined {
  const lines = table.tBodies[0]?.rows;
  const first = lines?.[0];
  if (lines === undefined || first === undefined) return undefined;
  const headers = first.firstElementChild?.localName === 'th' ? 1 : 0;
  const columns = first.cells.length - headers;
  return lines[Math.floor(index / columns)]?.cells[(index % columns) + headers];
}

/** The cell that a key leads to; undefined for other keys. */
export function cellAfterKey(event: KeyboardEvent, from: number, rows: number, columns: number): number | undefined {
  const column = from % columns;
  const first = from - column;
  const all = event.ctrlKey || event.metaKey;
  switch (event.key) {
    case 'ArrowLeft':
      return column > 0 ? from - 1 : from;
    case 'ArrowRight':
      return column < columns - 1 ? from + 1 : from;
    case 'ArrowUp':
      return first > 0 ? from - columns : from;
    case 'ArrowDown':
      return first < (rows - 1) * columns ? from + columns : from;
    case 'Home':
      return all ? 0 : first;
    case 'End':
      return all ? rows * columns - 1 : first + columns - 1;
    default:
      return undefined;
  }
}
