// Changes to the wasm module that the compiler made: its sections are read and written, their content stays.
const customSection = 0;
const dataSection = 11;
const dataCountSection = 12;
/** The sections that are about data. */
export const dataSections = [dataSection, dataCountSection];
const headerBytes = 8;
const activeSegment = 0;
const i32Const = 0x41;
const endOfExpression = 0x0b;

/** A number as unsigned LEB128. */
function numberBytes(value) {
  const bytes = [];
  for (; value > 127; value = Math.floor(value / 128)) bytes.push((value % 128) | 128);
  return [...bytes, value];
}

/** A number as signed LEB128; `value` is not negative. */
function signedBytes(value) {
  const bytes = numberBytes(value);
  if (bytes.at(-1) < 64) return bytes;
  return [...bytes.slice(0, -1), bytes.at(-1) | 128, 0];
}

/** Reads numbers and bytes in their order. */
class Reader {
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

const sectionBytes = (id, content) => Buffer.concat([Buffer.from([id, ...numberBytes(content.length)]), content]);

/** The segments of a data section: addresses and bytes. */
function readSegments(section) {
  const reader = new Reader(section);
  return Array.from({ length: reader.number() }, () => {
    reader.expect(activeSegment, 'the kind of a segment');
    reader.expect(i32Const, 'the instruction of an address');
    const address = reader.number();
    reader.expect(endOfExpression, 'the end of an address');
    return { address, bytes: reader.take(reader.number()) };
  });
}

/** A data section with one segment. The bytes between the given ones are 0, as the memory is. */
function joinSegments(section) {
  const segments = readSegments(section);
  const start = Math.min(...segments.map(({ address }) => address));
  const end = Math.max(...segments.map(({ address, bytes }) => address + bytes.length));
  const joined = Buffer.alloc(end - start);
  for (const { address, bytes } of segments) joined.set(bytes, address - start);
  const head = [1, activeSegment, i32Const, ...signedBytes(start), endOfExpression, ...numberBytes(joined.length)];
  return Buffer.concat([Buffer.from(head), joined]);
}

/**
 * The wasm module with its data in one segment. Binaryen leaves out every few zeros and writes 1200 segments, whose heads
 * cost more than the zeros once the module is compressed: 4 kB of the download.
 */
function withJoinedData(module) {
  const written = sections(module).map(({ id, content }) => {
    if (id === dataSection) return sectionBytes(id, joinSegments(content));
    return sectionBytes(id, id === dataCountSection ? Buffer.from(numberBytes(1)) : content);
  });
  return Buffer.concat([module.subarray(0, headerBytes), ...written]);
}

/** The wasm module with a custom section at its end. */
const withSection = (module, name, content) =>
  Buffer.concat([
    module,
    sectionBytes(customSection, Buffer.from([...numberBytes(name.length), ...Buffer.from(name), ...content])),
  ]);

/**
 * The module that users get. The linker makes an import of each function without a definition, and the host has none of C++'s.
 *
 * @param version - `load` compares it with the version in the JavaScript: one file may have been deployed without the other
 */
export function finishedModule(module, version) {
  const missing = WebAssembly.Module.imports(new WebAssembly.Module(module)).filter(({ name }) =>
    name.startsWith('_Z'),
  );
  if (missing.length > 0) throw new Error(`no file defines ${missing.map(({ name }) => name).join(', ')}`);
  return withSection(withJoinedData(module), 'broadloom', Buffer.from(version));
}
