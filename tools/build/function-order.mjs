// The order of a wasm module's functions. gzip finds what it has seen in the last 32 kB: functions that look alike lie one after
// the other, which makes the download of all operators 3 % smaller.
import { gzipSync } from 'node:zlib';
import { numberBytes, Reader, sections, withSections } from './wasm-format.mjs';

const sectionIds = { import: 2, function: 3, export: 7, start: 8, element: 9, code: 10 };
const functionKind = 0;

// ---- Instructions ----

// Letters for the operands of an opcode: n(umber), b(yte), and f(unction).
const formsOfRanges = (ranges) => {
  const forms = new Map();
  for (const [first, last, form] of ranges) for (let code = first; code <= last; code++) forms.set(code, form);
  return forms;
};
const plainForms = formsOfRanges([
  [0x00, 0x01, ''],
  [0x02, 0x04, 'n'], // blocks: their type
  [0x05, 0x05, ''],
  [0x0b, 0x0b, ''],
  [0x0c, 0x0d, 'n'],
  [0x0f, 0x0f, ''],
  [0x10, 0x10, 'f'], // call
  [0x11, 0x11, 'nn'],
  [0x12, 0x12, 'f'], // return_call
  [0x13, 0x13, 'nn'],
  [0x1a, 0x1b, ''],
  [0x20, 0x26, 'n'],
  [0x28, 0x3e, 'nn'], // loads and stores
  [0x3f, 0x42, 'n'],
  [0x43, 0x43, 'bbbb'],
  [0x44, 0x44, 'bbbbbbbb'],
  [0x45, 0xc4, ''],
  [0xd0, 0xd0, 'n'],
  [0xd1, 0xd1, ''],
  [0xd2, 0xd2, 'f'], // ref.func
]);
// Lists with their lengths follow these: of labels and of types.
const branchTable = 0x0e; // has one more
const listForms = new Map([
  [branchTable, 'n'],
  [0x1c, 'b'],
]);
const memoryForms = formsOfRanges([
  [0, 7, ''],
  [8, 8, 'nn'],
  [9, 9, 'n'],
  [10, 10, 'nn'],
  [11, 11, 'n'],
  [12, 12, 'nn'],
  [13, 13, 'n'],
  [14, 14, 'nn'],
  [15, 17, 'n'],
]);
const vectorForms = formsOfRanges([
  [0, 11, 'nn'],
  [12, 13, 'b'.repeat(16)],
  [14, 20, ''],
  [21, 34, 'b'],
  [35, 83, ''],
  [84, 91, 'nnb'],
  [92, 93, 'nn'],
  [94, 275, ''],
]);
const prefixes = new Map([
  [0xfc, memoryForms],
  [0xfd, vectorForms],
]);

/** The form of the instruction at the reader's place, which goes on past the opcode. */
function readOpcode(reader) {
  const [code] = reader.take(1);
  if (listForms.has(code)) return listForms.get(code).repeat(reader.number()) + (code === branchTable ? 'n' : '');
  const forms = prefixes.get(code);
  const number = forms === undefined ? code : reader.number();
  const form = (forms ?? plainForms).get(number);
  if (form === undefined) throw new Error(`wasm module: an instruction ${code}, ${number} that has no form here`);
  return form;
}

/** Places of the numbers of functions in a body: `[first byte, end]`. */
function placesOfFunctions(body) {
  const reader = new Reader(body);
  const locals = reader.number();
  for (let i = 0; i < locals; i++) {
    reader.number();
    reader.take(1);
  }
  const places = [];
  while (!reader.isAtEnd) {
    for (const kind of readOpcode(reader)) {
      const start = reader.place;
      if (kind === 'b') reader.take(1);
      else reader.number();
      if (kind === 'f') places.push([start, reader.place]);
    }
  }
  return places;
}

// ---- Sections ----

const countedItems = (content, read) => {
  const reader = new Reader(content);
  return Array.from({ length: reader.number() }, () => read(reader));
};
const withCount = (items) => Buffer.concat([Buffer.from(numberBytes(items.length)), ...items]);

const contentOf = (module, wanted) => sections(module).find(({ id }) => id === wanted).content;

const bodiesOf = (module) => countedItems(contentOf(module, sectionIds.code), (reader) => reader.take(reader.number()));

/** The number of imported functions: they have the first numbers. */
function importedFunctions(module) {
  return WebAssembly.Module.imports(new WebAssembly.Module(module)).filter(({ kind }) => kind === 'function').length;
}

function withNumbers(body, numberOf) {
  const parts = [];
  let done = 0;
  for (const [start, end] of placesOfFunctions(body)) {
    parts.push(body.subarray(done, start), Buffer.from(numberBytes(numberOf(new Reader(body, start).number()))));
    done = end;
  }
  return Buffer.concat([...parts, body.subarray(done)]);
}

function exportsWithNumbers(content, numberOf) {
  const items = countedItems(content, (reader) => {
    const start = reader.place;
    reader.take(reader.number());
    const [kind] = reader.take(1);
    const name = content.subarray(start, reader.place);
    const number = reader.number();
    return Buffer.concat([name, Buffer.from(numberBytes(kind === functionKind ? numberOf(number) : number))]);
  });
  return withCount(items);
}

function elementsWithNumbers(content, numberOf) {
  const items = countedItems(content, (reader) => {
    const start = reader.place;
    reader.expect(0, 'the kind of an element segment');
    while (readOpcode(reader) !== '') reader.number(); // the address, to its end
    const head = content.subarray(start, reader.place);
    const numbers = Array.from({ length: reader.number() }, () => Buffer.from(numberBytes(numberOf(reader.number()))));
    return Buffer.concat([head, withCount(numbers)]);
  });
  return withCount(items);
}

/**
 * The module with its functions in another order. Fails where an instruction or a segment is of a kind that is not told here.
 *
 * @param order - the numbers of the functions that the module defines, from 0 on
 */
export function withFunctionsInOrder(module, order) {
  const imported = importedFunctions(module);
  const placeOf = new Map(order.map((number, place) => [imported + number, imported + place]));
  const numberOf = (number) => placeOf.get(number) ?? number;
  const inOrder = (items) => withCount(order.map((number) => items[number]));
  return withSections(module, (id, content) => {
    switch (id) {
      case sectionIds.function:
        return inOrder(countedItems(content, (reader) => Buffer.from(numberBytes(reader.number()))));
      case sectionIds.export:
        return exportsWithNumbers(content, numberOf);
      case sectionIds.start:
        return Buffer.from(numberBytes(numberOf(new Reader(content).number())));
      case sectionIds.element:
        return elementsWithNumbers(content, numberOf);
      case sectionIds.code:
        return inOrder(
          bodiesOf(module).map((body) => {
            const written = withNumbers(body, numberOf);
            return Buffer.concat([Buffer.from(numberBytes(written.length)), written]);
          }),
        );
      default:
        return content;
    }
  });
}

// ---- The order ----

// Ways to compare functions: by runs of so many bytes; earlier functions count less and less for the next one, by `memory`; a rare
// run counts more, by `power`. The first one is the best for all operators, the other one for a few.
const ways = [
  { gramBytes: 3, memory: 0.96, power: 3 },
  { gramBytes: 4, memory: 0.8, power: 2 },
];
// Runs of bytes in more functions than these tell little.
const mostReaders = 1000;

/** The functions in which runs of bytes are, for each function and run. */
function readersOfGrams(bodies, gramBytes) {
  const readers = new Map();
  const grams = bodies.map((body) => {
    const own = new Set();
    for (let i = 0; i + gramBytes <= body.length; i++) own.add(body.readUIntLE(i, gramBytes));
    return [...own];
  });
  for (const [number, own] of grams.entries()) {
    for (const gram of own) {
      if (readers.has(gram)) readers.get(gram).push(number);
      else readers.set(gram, [number]);
    }
  }
  return grams.map((own) => own.map((gram) => readers.get(gram)));
}

/** Functions one after the other: each is the one that has most in common with those before it. */
function orderBy(bodies, { gramBytes, memory, power }) {
  const count = bodies.length;
  const lists = readersOfGrams(bodies, gramBytes).map((own) =>
    own
      .filter(({ length }) => length > 1 && length <= mostReaders)
      .map((readers) => ({ readers, weight: Math.log(count / readers.length) ** power })),
  );
  const norms = lists.map((own) => Math.sqrt(own.reduce((sum, { weight }) => sum + weight, 1)));
  const scores = new Float64Array(count);
  const order = [];
  const isPlaced = new Uint8Array(count);
  for (let next = 0; order.length < count; ) {
    order.push(next);
    isPlaced[next] = 1;
    for (let i = 0; i < count; i++) scores[i] *= memory;
    for (const { readers, weight } of lists[next])
      for (const other of readers) scores[other] += weight / (norms[next] * norms[other]);
    next = -1;
    for (let i = 0; i < count; i++) if (!isPlaced[i] && (next < 0 || scores[i] > scores[next])) next = i;
  }
  return order;
}

/** The order that makes the smallest download. */
export function orderOfFunctions(module) {
  const bodies = bodiesOf(module);
  const orders = ways.map((way) => orderBy(bodies, way));
  const bytes = orders.map((order) => gzipSync(withFunctionsInOrder(module, order), { level: 9 }).length);
  return orders[bytes.indexOf(Math.min(...bytes))];
}
