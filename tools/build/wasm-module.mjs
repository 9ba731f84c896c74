// Changes to the wasm module that the compiler made: to the order of its functions and to its data, for the download's sake.
import { orderOfFunctions, withFunctionsInOrder } from './function-order.mjs';
import { numberBytes, Reader, sectionBytes, withSections } from './wasm-format.mjs';

const customSection = 0;
const dataSection = 11;
const dataCountSection = 12;
/** The sections that are about data. */
export const dataSections = [dataSection, dataCountSection];
const activeSegment = 0;
const i32Const = 0x41;
const endOfExpression = 0x0b;

/** A number as signed LEB128; `value` is not negative. */
function signedBytes(value) {
  const bytes = numberBytes(value);
  if (bytes.at(-1) < 64) return bytes;
  return [...bytes.slice(0, -1), bytes.at(-1) | 128, 0];
}

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
const withJoinedData = (module) =>
  withSections(module, (id, content) => {
    if (id === dataSection) return joinSegments(content);
    return id === dataCountSection ? Buffer.from(numberBytes(1)) : content;
  });

/** Modules of a compiler that writes other instructions stay as they are: they only are larger. */
function withSimilarFunctionsTogether(module) {
  try {
    return withFunctionsInOrder(module, orderOfFunctions(module));
  } catch (error) {
    console.warn(`build: functions stay in the compiler's order: ${error.message}`);
    return module;
  }
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
  return withSection(withJoinedData(withSimilarFunctionsTogether(module)), 'broadloom', Buffer.from(version));
}
