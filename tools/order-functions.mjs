// The order of the functions in the wasm module. Gzip finds only what repeats within 32 KiB, and compilers leave functions where
// their sources are: with those side by side that are alike, the download is 2 % smaller (the build prints both).
// WebAssembly Core Specification 2.0, 5.5: Binary Format, Modules.
import { deflateRawSync, gzipSync } from 'node:zlib';
import binaryen from 'binaryen';
import { numberBytes, withSection } from './wasm-section.mjs';

const window = 32768; // bytes, of gzip
const phrase = 5; // bytes: what is as long is worth finding again
const shortNumbers = 128; // of one byte: Binaryen gives them to the functions that are called most
const codeSection = 10;
const functionNames = 1; // a subsection of the section 'name'
// What a phrase counts is one over the number of functions that have it, to such a power; what a function counts is the sum
// of its phrases, beside their number and some more, since short ones fit in everywhere.
const unit = 2 ** 20;
const power = 0.64;
const addition = 30;
const mostOwners = 60; // of a phrase that says which functions are alike
const mostAlike = 6;

/** Reads the numbers and bytes of a module from `at` on. */
function readerOf(bytes, at) {
  const take = (length) => {
    at += length;
    return bytes.subarray(at - length, at);
  };
  const number = () => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[at++];
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  };
  return { number, take, isAtEnd: () => at >= bytes.length };
}

/** The bodies of the functions, in their order. */
function bodiesOf(module) {
  const sections = readerOf(module, 8);
  while (!sections.isAtEnd()) {
    const [id] = sections.take(1);
    const content = sections.take(sections.number());
    if (id !== codeSection) continue;
    const code = readerOf(content, 0);
    return Array.from({ length: code.number() }, () => code.take(code.number()));
  }
  return [];
}

/** Numbers for the phrases of each body: the same for the same bytes, but for an accident now and then. */
function phrasesOf(bodies) {
  return bodies.map((body) => {
    const found = new Set();
    for (let i = 0; i + phrase <= body.length; i++)
      found.add((body.readUInt32LE(i) ^ Math.imul(body[i + 4], 0x9e3779b1)) >>> 0);
    return found;
  });
}

/** The functions that have a phrase, by the phrase. */
function ownersOf(phrases) {
  const owners = new Map();
  for (const [i, found] of phrases.entries()) {
    for (const one of found) {
      const list = owners.get(one) ?? [];
      list.push(i);
      owners.set(one, list);
    }
  }
  return owners;
}

/**
 * The functions' numbers in an order in which each one is, of those that are left, the one that has most in common with the
 * bytes before it. What many functions share is found anyway, and counts less. The first `kept` stay the first ones.
 */
function orderOf(bodies, phrases, owners, kept) {
  const scores = new Float64Array(bodies.length);
  const seen = new Map(); // how many functions of the window have a phrase
  const count = (i, step) => {
    for (const one of phrases[i]) {
      const list = owners.get(one);
      const before = seen.get(one) ?? 0;
      seen.set(one, before + step);
      if ((before === 0) === (before + step === 0) || list.length === 1) continue;
      // Integers: no sum depends on how a machine rounds.
      const weight = step * Math.round(unit / list.length ** power);
      for (const other of list) scores[other] += weight;
    }
  };
  const worth = (i) => scores[i] / (phrases[i].size + addition);
  const isBefore = (a, b) => worth(a) > worth(b) || (worth(a) === worth(b) && bodies[a].length > bodies[b].length);
  const left = new Set(bodies.keys());
  const order = [];
  let first = 0; // the place in `order` from which on functions are within the window
  let bytes = 0;
  while (left.size > 0) {
    let next = -1;
    for (const i of left) if ((i < kept || order.length >= kept) && (next < 0 || isBefore(i, next))) next = i;
    order.push(next);
    left.delete(next);
    count(next, 1);
    bytes += bodies[next].length;
    for (; bytes > window && first < order.length - 1; first++) {
      count(order[first], -1);
      bytes -= bodies[order[first]].length;
    }
  }
  return order;
}

/** The few functions that have most in common with function `i`. */
function alike(i, phrases, owners) {
  const shared = new Map();
  for (const one of phrases[i]) {
    const list = owners.get(one);
    if (list.length > mostOwners) continue;
    for (const other of list) shared.set(other, (shared.get(other) ?? 0) + 1 / list.length);
  }
  shared.delete(i);
  const worth = (other) => shared.get(other) / Math.sqrt(phrases[other].size + addition);
  return [...shared.keys()].sort((a, b) => worth(b) - worth(a)).slice(0, mostAlike);
}

/**
 * The order after each function was tried behind those that it is most like, and left where the download is smallest. Gzip is
 * asked for all functions only when the one is smaller behind the bytes that it would follow: that takes most of the 17 s.
 */
function improved(order, bodies, phrases, owners, kept) {
  const sizeOf = (numbers) => gzipSync(Buffer.concat(numbers.map((i) => bodies[i])), { level: 9 }).length;
  const sizeAt = (i, numbers, place) => {
    const before = [];
    for (let at = place, bytes = 0; at > 0 && bytes < window; bytes += before[0].length)
      before.unshift(bodies[numbers[--at]]);
    return deflateRawSync(bodies[i], { level: 9, dictionary: Buffer.concat(before).subarray(-window) }).length;
  };
  let best = { order, size: sizeOf(order) };
  for (const i of order.slice(kept)) {
    const others = best.order.filter((other) => other !== i);
    const here = best.order.indexOf(i);
    let place = here;
    let least = sizeAt(i, others, here);
    for (const other of alike(i, phrases, owners)) {
      const behind = others.indexOf(other) + 1;
      const size = behind < kept ? Infinity : sizeAt(i, others, behind);
      if (size < least) [place, least] = [behind, size];
    }
    if (place === here) continue;
    const moved = others.toSpliced(place, 0, i);
    const size = sizeOf(moved);
    if (size < best.size) best = { order: moved, size };
  }
  return best.order;
}

/** The module with a name for each function that sorts as its place in `order` does. */
function named(module, order, firstNumber) {
  const names = order.map((number, place) => [number, `f${String(place).padStart(6, '0')}`]).sort(([a], [b]) => a - b);
  const entries = names.flatMap(([number, name]) => [
    ...numberBytes(firstNumber + number),
    name.length,
    ...Buffer.from(name),
  ]);
  const list = [...numberBytes(names.length), ...entries];
  return withSection(module, 'name', Buffer.from([functionNames, ...numberBytes(list.length), ...list]));
}

/** The module with its functions in the order of their names, which are gone then. */
function reordered(module) {
  const ordered = binaryen.readBinary(module);
  ordered.runPasses(['reorder-functions-by-name', 'strip-debug']);
  const bytes = Buffer.from(ordered.emitBinary());
  ordered.dispose();
  return bytes;
}

/** The module, with functions side by side that are alike. */
export async function withOrderedFunctions(module) {
  const imports = WebAssembly.Module.imports(await WebAssembly.compile(module));
  const imported = imports.filter(({ kind }) => kind === 'function').length;
  const bodies = bodiesOf(module);
  const phrases = phrasesOf(bodies);
  const owners = ownersOf(phrases);
  const kept = shortNumbers - imported;
  const order = improved(orderOf(bodies, phrases, owners, kept), bodies, phrases, owners, kept);
  // What reads and writes leave out that need not be.
  binaryen.setGenerateStackIR(true);
  binaryen.setOptimizeStackIR(true);
  return reordered(named(module, order, imported));
}
