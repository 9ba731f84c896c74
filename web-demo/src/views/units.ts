// Quantities in units that people read. Symbols of units are the same in both languages.

function inUnits(value: number, units: readonly string[], step: number): string {
  let scaled = value;
  let unit = 0;
  while (scaled >= step && unit < units.length - 1) {
    scaled /= step;
    unit++;
  }
  const digits = unit === 0 && Number.isInteger(scaled) ? String(scaled) : Number(scaled.toPrecision(3)).toString();
  return `${digits} ${units[unit]}`;
}

/** Bytes with three significant digits: `12 B`, `1.5 kB`, `4 GB`. */
export function showBytes(bytes: number): string {
  return inUnits(bytes, ['B', 'kB', 'MB', 'GB', 'TB', 'PB'], 1000);
}

/** A count with three significant digits: `12`, `1.5 k`, `4 G`. */
export function showAmount(count: number): string {
  return inUnits(count, ['', 'k', 'M', 'G', 'T', 'P'], 1000).trim();
}

/** Microseconds with three significant digits: `0.4 µs`, `12.5 ms`, `1.2 s`. */
export function showTime(microseconds: number): string {
  if (microseconds > 0 && microseconds < 1) return inUnits(microseconds * 1000, ['ns', 'µs'], 1000);
  return inUnits(microseconds, ['µs', 'ms', 's'], 1000);
}

/** Bytes in microseconds as a rate. */
export function showRate(bytes: number, microseconds: number): string {
  return `${showBytes((bytes / microseconds) * 1e6)}/s`;
}

/** A number with as many digits as help at a glance. */
export function showNumber(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e9) return String(value);
  return Number(value.toPrecision(6)).toString();
}

/** Thousands set apart by narrow spaces, in either language. */
export function showCount(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, '\u202f');
}

export function showDims(dims: readonly number[]): string {
  return `[${dims.join(', ')}]`;
}
