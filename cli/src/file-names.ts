// Names of files that are safe on every system, for names that models give their values.

import { Buffer } from 'node:buffer';

/** What Windows takes for a device. */
const devices = /^(con|prn|aux|nul|com\d|lpt\d)$/i;
const longestName = 120; // bytes; file systems have 255 for all of it

function clipped(text: string): string {
  let bytes = 0;
  let end = 0;
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > longestName) break;
    end += character.length;
  }
  return text.slice(0, end);
}

function safeName(name: string): string {
  const letters = name
    .slice(0, 4 * longestName)
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}._-]/gu, '_');
  const text = clipped(letters).replace(/^[.-]+|\.+$/g, '_');
  return text === '' || devices.test(text.split('.')[0] ?? '') ? `_${text}` : text;
}

/** A key that is equal where case or the form of letters does not count. */
const folded = (name: string): string => name.normalize('NFKC').toUpperCase().toLowerCase();

/** A file name for each name, without ending: no two are equal, and none leaves its folder. */
export function fileNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  const next = new Map<string, number>();
  return names.map((name) => {
    const safe = safeName(name);
    let free = safe;
    let i = next.get(folded(safe)) ?? 2;
    while (taken.has(folded(free))) free = `${safe}_${i++}`;
    next.set(folded(safe), i);
    taken.add(folded(free));
    return free;
  });
}
