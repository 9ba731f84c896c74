// The advice of `report.dynamic` and `report.kept` as text.

const quoted = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`;

function written(value: unknown): string {
  if (value === null) return '...';
  if (typeof value === 'string') return quoted(value);
  if (Array.isArray(value)) return `[${value.map(written).join(', ')}]`;
  return typeof value === 'object' ? `{ ${entriesOf(value as object)} }` : String(value);
}

function entriesOf(value: object): string {
  return Object.entries(value)
    .map(([key, one]) => `${/^[a-z_$][\w$]*$/i.test(key) ? key : quoted(key)}: ${written(one)}`)
    .join(', ');
}

/** As one writes it in JavaScript, with `...` for what is to be filled in: `dims: { batch: ... }`. */
export const fixText: (fix: object) => string = entriesOf;
