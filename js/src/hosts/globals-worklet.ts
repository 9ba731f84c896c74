// Worklets have no TextDecoder and no TextEncoder. These do what memory.ts needs of them.
const replacement = 0xfffd;
/** The first byte of a character, by how many follow it. */
const marks = [0, 0xc0, 0xe0, 0xf0];

/** Texts of UTF-8, which the core has checked. A mark at the start is a character. */
class Utf8Decoder {
  decode(source: ArrayBuffer | Uint8Array): string {
    const bytes = source instanceof Uint8Array ? source : new Uint8Array(source);
    let text = '';
    for (let i = 0; i < bytes.length; ) {
      const first = bytes[i++] as number;
      const more = first < 0xc0 ? 0 : first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
      let code = more === 0 ? first : first & (0x3f >> more);
      for (let left = more; left > 0; left--) code = (code << 6) | ((bytes[i++] as number) & 0x3f);
      text += String.fromCodePoint(code);
    }
    return text;
  }
}

class Utf8Encoder {
  encodeInto(text: string, to: Uint8Array): { read: number; written: number } {
    let read = 0;
    let written = 0;
    for (const character of text) {
      const found = character.codePointAt(0) as number;
      const code = found >= 0xd800 && found < 0xe000 ? replacement : found;
      const more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
      if (written + more >= to.length) break;
      to[written++] = (marks[more] as number) | (code >> (6 * more));
      for (let left = more - 1; left >= 0; left--) to[written++] = 0x80 | ((code >> (6 * left)) & 0x3f);
      read += character.length;
    }
    return { read, written };
  }
}

const host = globalThis as { TextDecoder?: typeof Utf8Decoder; TextEncoder?: typeof Utf8Encoder };
export const TextDecoder = host.TextDecoder ?? Utf8Decoder;
export const TextEncoder = host.TextEncoder ?? Utf8Encoder;
