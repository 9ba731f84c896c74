// Sections, numbers and bytes of a wasm module.
const headerBytes = 8;

/** A number as unsigned LEB128. */
export function numberBytes(value) {
  const bytes = [];
  for (; value > 127; value = Math.floor(value / 128)) bytes.push((value % 128) | 128);
  return [...bytes, value];
}

/** Reads numbers and bytes in their order. */
export class Reader {
  constructor(bytes, place = 0) {
    this.bytes = bytes;
    this.place = place;
  }

  get isAtEnd() {
    return this.place >= this.bytes.length;
  }

  number() {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.bytes[this.place++];
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  }

  take(count) {
    this.place += count;
    return this.bytes.subarray(this.place - count, this.place);
  }

  expect(value, name) {
    const found = this.number();
    if (found !== value) throw new Error(`wasm module: ${name} is ${found}, wanted ${value}`);
  }
}

/** The sections of a module, in their order. */
export function sections(module) {
  const reader = new Reader(module, headerBytes);
  const found = [];
  while (!reader.isAtEnd) found.push({ id: reader.number(), content: reader.take(reader.number()) });
  return found;
}

export const sectionBytes = (id, content) =>
  Buffer.concat([Buffer.from([id, ...numberBytes(content.length)]), content]);

/** The module with its sections changed: `change` gives the content of each. */
export const withSections = (module, change) =>
  Buffer.concat([
    module.subarray(0, headerBytes),
    ...sections(module).map(({ id, content }) => sectionBytes(id, change(id, content))),
  ]);
