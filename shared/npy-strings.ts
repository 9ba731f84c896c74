// The strings of .npy files: all of one length, padded with NULs.
import { NpyError } from './npy-error.js';

/** The JSON of the list of strings that have `size` bytes each. Strings of dtype S are read as UTF-8, as ONNX has them. */
export function readStrings(elements: Uint8Array, count: number, size: number, kind: 'U' | 'S'): Uint8Array {
  const view = new DataView(elements.buffer, elements.byteOffset, elements.byteLength);
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const codePoints = (start: number): string => {
    let text = '';
    for (let place = start; place < start + size; place += 4) {
      const code = view.getUint32(place, true);
      if (code > 0x10ffff) throw new NpyError('noCodePoint', code);
      text += String.fromCodePoint(code);
    }
    return text;
  };
  const utf8 = (start: number): string => {
    try {
      return decoder.decode(elements.subarray(start, start + size));
    } catch {
      throw new NpyError('noUtf8', start);
    }
  };
  const strings = Array.from({ length: count }, (_, i) =>
    trimmed(kind === 'U' ? codePoints(i * size) : utf8(i * size)),
  );
  return new TextEncoder().encode(JSON.stringify(strings));
}

/** Without the NULs at its end; a regular expression would look at those within a string again and again. */
function trimmed(text: string): string {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) === 0) end--;
  return text.slice(0, end);
}

/** The list in `json` as code points in four bytes each. NULs at the end of a string are lost, as in NumPy. */
export function writeStrings(json: Uint8Array): { readonly descr: string; readonly elements: Uint8Array } {
  const strings = (JSON.parse(new TextDecoder().decode(json)) as string[]).map((string) => [...string]);
  const longest = strings.reduce((length, string) => Math.max(length, string.length), 1);
  const elements = new Uint8Array(strings.length * longest * 4);
  const view = new DataView(elements.buffer);
  for (const [i, string] of strings.entries()) {
    for (const [j, character] of string.entries()) {
      view.setUint32((i * longest + j) * 4, character.codePointAt(0) as number, true);
    }
  }
  return { descr: `<U${longest}`, elements };
}
