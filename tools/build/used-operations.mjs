// Which of the kernels' elementwise operations (src/kernels/loops.h) the functions of some operators name: for modules of chosen
// operators (tools/build/build-for.mjs). Reads the sources, whose format clang-format keeps. If several definitions have a name, all of
// them count.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../run.mjs';

const src = join(root, 'src');
const namesOf = (text) => new Set(text.match(/\b(?:op::(?:\w+::)?)?[A-Za-z_]\w*/g) ?? []);

const known = /^enum class Operation .*?\n\};/ms.exec(readFileSync(join(src, 'kernels/loops.h'), 'utf8'))[0];
const everyOperation = new Set([...known.matchAll(/^ {2}(\w+),/gm)].map(([, name]) => name));

/** The operations that a text names: `Operation::add`, or `add` in a file that has all of them as plain names. */
const operationsIn = (text, isPlain) =>
  isPlain
    ? [...namesOf(text)].filter((name) => everyOperation.has(name))
    : [...text.matchAll(/\bOperation::(\w+)/g)].map(([, name]) => name);

/**
 * The name that a definition defines: the last one before its parentheses, braces or value; of a method, its class. The C++ operators of
 * formulas count as parts of that class: what computes with formulas does not name them.
 */
function definedBy(text) {
  const head = text.replace(/^template <.*>\n/gm, '').split(/[({=;[]|<[^>]*>? *=/)[0];
  if (/\bFormula operator/.test(head)) return 'Formula';
  const [, space, id] = /^BROADLOOM_OPERATOR\((op(?:::\w+)?), (\w+)\)/.exec(text) ?? [];
  const [, name = ''] = /((?:\w+::)*~?\w+)(?: final)?\s*$/.exec(head.replace(/ : [^:].*/s, '')) ?? [];
  return space === undefined ? name.split('::')[0] : `${space}::${id}`;
}

/** The definitions of a file at the level of its namespaces: `{ file, name, isLocal, text, uses, operations }`. */
function definitionsIn(file) {
  const definitions = [];
  let text = '';
  let isLocal = false;
  const source = readFileSync(file, 'utf8');
  const isPlain = source.includes('\nusing enum Operation;');
  for (const line of source.split('\n')) {
    if (/^(#|\/\/|namespace \w|\} {2}\/\/ namespace \w|$)/.test(line)) continue;
    if (/^namespace \{|^\} {2}\/\/ namespace$/.test(line)) isLocal = line.startsWith('namespace');
    else text += `${line.replace(/\/\/.*/, '')}\n`;
    // A definition ends with a line that closes it, or with a semicolon outside of braces.
    const isClosed = text.split('{').length === text.split('}').length;
    if (text !== '' && isClosed && /[;}]\s*$/.test(text)) {
      definitions.push({
        file,
        name: definedBy(text),
        isLocal: isLocal && file.endsWith('.cpp'),
        text,
        uses: namesOf(text),
        operations: operationsIn(text, isPlain),
      });
      text = '';
    }
  }
  return definitions;
}

const definitionsUnder = (folder) =>
  readdirSync(join(src, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(cpp|h)$/.test(file))
    .flatMap((file) => definitionsIn(join(src, folder, file)));

/** Whether a definition reduces many elements. The steps of kernels before and after a reduction are for single elements. */
const isOfFolds = ({ file, text }) =>
  (file.includes('/ops/') ? /\b(Reduction|reduce|fold_of)\b/ : /\bfold_of\b/).test(text);

/** The types that a definition chooses: not types that it compares with, and not types of sets. */
const typesIn = (text) =>
  [...text.replace(/[=!]= Dtype::\w+|(?:Dtype::\w+ \| )+Dtype::\w+/g, '').matchAll(/\bDtype::(\w+)/g)].map(
    ([, id]) => id,
  );

/** The operations of some definitions, and which of them reduce many elements to one. */
function operationsOf(definitions) {
  const operations = new Set();
  const folds = new Set();
  for (const one of definitions) {
    for (const name of one.operations) {
      operations.add(name);
      if (isOfFolds(one)) folds.add(name);
    }
  }
  return { operations, folds };
}

/**
 * The operations that kernels, graphs, and these operators name.
 *
 * @param ids - names of the operators' constants, without `op::`
 * @returns `[{ operations, folds, types }]`: for each operator, and for the code that all operators use, the names of its operations
 *   on elements, of its reductions, and of the types of computation that it chooses
 */
export function usedOperations(ids) {
  const all = definitionsUnder('ops');
  const byName = new Map();
  for (const one of all) byName.set(one.name, [...(byName.get(one.name) ?? []), one]);
  const isTable = ({ file }) => /kernels\/(loops|chosen|fold)\.(h|cpp)$/.test(file);
  const shared = [
    ...['kernels', 'graph', 'onnx', 'media'].flatMap(definitionsUnder).filter((one) => !isTable(one)),
    ...all.filter(({ file }) => file.includes('ops/call/')),
  ];
  const reachedFrom = (id) => {
    const reached = new Set(byName.get(`op::${id}`));
    for (const one of reached) {
      for (const name of one.uses) {
        const others = byName.get(name) ?? [];
        for (const other of others.filter(({ file, isLocal }) => file === one.file || !isLocal)) reached.add(other);
      }
    }
    return [...reached];
  };
  return [
    { ...operationsOf(shared), types: new Set() },
    ...ids.map((id) => {
      const reached = reachedFrom(id);
      return { ...operationsOf(reached), types: new Set(reached.flatMap(({ text }) => typesIn(text))) };
    }),
  ];
}
