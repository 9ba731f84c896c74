// npm run build -- --for model.onnx,... or --for expand,shape,... [--with PART,...] [--types TYPE,...] [--out FILE]: a wasm module
// with the operators and element types of these models, or with these operators, alone, for `load({ wasm })` of the package's
// JavaScript. Prints its size beside the whole one.
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { operatorCounts } from '../models/census.mjs';
import { functionNamesOf } from '../models/reader.mjs';
import { root, run, version } from '../run.mjs';
import { dtypeRows, tableRows } from '../tables.mjs';
import { refuse, UsageError } from '../usage.mjs';
import { usedOperations } from './used-operations.mjs';
import { finishedModule } from './wasm-module.mjs';

/** Parts of the bindings (src/ops/chosen.h), each with the parts that it needs. */
const parts = {
  models: [],
  describe: ['models'],
  simplify: ['models', 'describe'],
  images: [],
  sound: [],
};

const lists = {
  '': 'operators.inc',
  'com.microsoft': 'microsoft/operators.inc',
  experimental: 'experimental/operators.inc',
};
const namespaces = { '': '', 'com.microsoft': 'microsoft::', experimental: 'experimental::' };
const ops = join(root, 'src/ops');

/** All operators that run: `{ domain, name, id }`, with the name of the constant in namespace op. */
function knownOperators() {
  return Object.entries(lists).flatMap(([domain, file]) =>
    tableRows(`src/ops/${file}`).map(({ fields: [id, name] }) => ({ domain, name, id: namespaces[domain] + id })),
  );
}

const filesIn = (folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.cpp'))
    .map((file) => readFileSync(join(folder, file), 'utf8'));

const uses = /\bop::((?:microsoft::|experimental::)?\w+)/g;

/** The operators whose functions another operator's functions call: id -> ids, by the files that define them. */
function callees(ids) {
  const found = new Map();
  for (const text of filesIn(ops)) {
    const defined = [...text.matchAll(/^BROADLOOM_OPERATOR\(op(::\w+)?, (\w+)\)/gm)].map(([, space = '', id]) => `${space}::${id}`.slice(2)).filter((id) => ids.has(id));
    const used = [...text.matchAll(uses)].map(([, id]) => id).filter((id) => ids.has(id));
    for (const id of defined)
      found.set(
        id,
        used.filter((one) => !defined.includes(one)),
      );
  }
  return found;
}

/**
 * The operators that the passes of a graph make: in loading a model all that are exact, and in simplifying it all. A pass that asks
 * whether a node could become one of another operator does without it.
 */
function madeByPasses(ids, simplifies) {
  const makers = simplifies ? uses : /(?:new_node\(|apply\(|op = &|^ +rewriter\.become\(node, )op::(\w+)/gm;
  const folders = ['src/graph', 'src/onnx'].flatMap((folder) => filesIn(join(root, folder)));
  return folders.flatMap((text) => [...text.matchAll(makers)].map(([, id]) => id)).filter((id) => ids.has(id));
}

const fullName = ({ domain, name }) => (domain === 'com.microsoft' ? `${domain}.${name}` : name);

const isFile = (path) => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;

/**
 * The operator of a name, with its domain or without. ONNX's come first: onnxruntime writes an operator of its own into ONNX's
 * domain.
 *
 * @param form - of names that are compared
 */
const operatorNamed = (text, known, form = (name) => name) =>
  known.find((one) => form(fullName(one)) === form(text)) ?? known.find(({ name }) => form(name) === form(text));

/** The operator that a caller names, in any case, and with underscores or without: `Expand`, `expand`, `com.microsoft.Gelu`. */
function operatorOfCaller(text, known) {
  const plain = (name) => name.toLowerCase().replaceAll('_', '');
  const found = operatorNamed(text, known, plain);
  if (found !== undefined) return found;
  if (graphOperators().some((name) => plain(name) === plain(text)))
    throw new UsageError(`--for: ${text} runs graphs of models: every module with the part 'models' has it`);
  throw new UsageError(`--for: there is no file '${text}', and Broadloom runs no operator of this name`);
}

/** The operators that run graphs, such as If: every module that runs models has them. */
const graphOperators = () => {
  const text = readFileSync(join(root, 'src/graph/structure/control_flow.cpp'), 'utf8');
  return [...text.matchAll(/\.name = "(\w+)"/g)].map(([, name]) => name);
};

/** The operators of a model, and of its graphs and functions. */
function operatorsOf(path, known) {
  const file = readFileSync(path);
  const others = new Set([...functionNamesOf(file), ...graphOperators()]);
  const names = Object.keys(operatorCounts(file)).filter((name) => !others.has(name));
  return names.map((name) => {
    const found = operatorNamed(name, known);
    if (found === undefined) throw new UsageError(`--for ${path}: Broadloom does not run the operator ${name}`);
    return found;
  });
}

/** All that a set of operators needs, by their functions. */
function closure(wanted, calls) {
  const found = new Set();
  const add = (id) => {
    if (found.has(id)) return;
    found.add(id);
    for (const one of calls.get(id) ?? []) add(one);
  };
  for (const id of wanted) add(id);
  return found;
}

/** The types of sizes, conditions and scores, which passes and loops of models make. */
const alwaysThere = ['float32', 'int64', 'bool'];

/** A model, as the built package reads it. Files beside it may be missing: initializers have their types in the model. */
async function modelIn(path) {
  const { load, OnnxError } = await import('../../dist/node.js');
  const ops = await load();
  try {
    return ops.loadModel(readFileSync(path), { allowUnsupported: true });
  } catch (error) {
    if (error instanceof OnnxError) throw new UsageError(`--for ${path}: ${error.message}`);
    throw error;
  }
}

/** The element types of a model's values and attributes, as the built package infers them; undefined if one is not known. */
async function typesOf(path) {
  const model = await modelIn(path);
  const types = new Set();
  let areKnown = model.metadata.functions.length === 0;
  const add = (value) => {
    if (ArrayBuffer.isView(value) || typeof value !== 'object' || value === null) return;
    if (Array.isArray(value)) return value.forEach(add);
    if ('inferred' in value) {
      const type = value.inferred?.type ?? value.declared?.type;
      if (typeof type === 'string') types.add(type);
      else areKnown = false;
    } else if ('dims' in value && 'type' in value) types.add(value.type);
    Object.values(value).forEach(add);
  };
  for (const part of [model.inputs, model.outputs, model.initializers, model.nodes]) add(part);
  model.dispose();
  return areKnown ? types : undefined;
}

/** The types of a module; undefined means all. Those that kernels compute small ones in are among them. */
async function typesFor(models, named) {
  const known = dtypeRows.map(({ name }) => name);
  for (const one of named) {
    if (!known.includes(one)) throw new UsageError(`--types: no type '${one}'; there are ${known.join(', ')}`);
  }
  if (models.length === 0 && named.length === 0) return undefined;
  const ofModels = await Promise.all(models.map(typesOf));
  if (ofModels.includes(undefined)) return undefined;
  const types = new Set([...alwaysThere, ...named, ...ofModels.flatMap((one) => [...one])]);
  if (['int8', 'uint8', 'int16', 'uint16', 'bool'].some((one) => types.has(one))) types.add('int32');
  return types;
}

/**
 * The header that takes the place of src/kernels/chosen.h: loops for the types of the module, and for those that its operators
 * compute in by their own choice.
 */
function kernelHeader(types, used) {
  const ids = dtypeRows.map(({ constant: id, name }) => ({ id, isThere: types === undefined || types.has(name) }));
  /** A function of an operation and a type that tells whether there is a loop. */
  const rows = (kind) =>
    ids
      .map(({ id, isThere }) => {
        const names = new Set(used.filter((one) => isThere || one.types.has(id)).flatMap((one) => [...one[kind]]));
        const conditions = [...names].sort().map((name) => `operation == Operation::${name}`);
        return names.size === 0 ? '' : `    case Dtype::${id}: return ${conditions.join(' || ')};\n`;
      })
      .join('');
  const loop = (name, kind) => `constexpr bool ${name}(Operation operation, Dtype dtype) {
  switch (dtype) {
${rows(kind)}    default: return false;
  }
}`;
  return `// Written by tools/build/build-for.mjs.
#pragma once

#include "core/dtype.h"
#include "kernels/loops.h"

namespace broadloom::chosen {

constexpr bool has_all_types = ${types === undefined};
constexpr bool has_type(Dtype dtype) {
  switch (dtype) {
${ids
  .filter(({ isThere }) => isThere)
  .map(({ id }) => `    case Dtype::${id}: return true;\n`)
  .join('')}    default: return false;
  }
}
${loop('has_loop', 'operations')}
${loop('has_fold', 'folds')}

}  // namespace broadloom::chosen
`;
}

/** The header that takes the place of src/ops/chosen.h. */
function header(operators, chosenParts) {
  const names = operators.map(
    ({ domain, name }) =>
      `  if (domain == "${domain === 'experimental' ? '' : domain}" && name == "${name}") return true;`,
  );
  return `// Written by tools/build/build-for.mjs.
#pragma once

#include <string_view>

namespace broadloom::chosen {

constexpr bool has_all_operators = false;
constexpr bool has_operator(std::string_view domain, std::string_view name) {
${names.join('\n')}
  return false;
}

${Object.keys(parts)
  .map((part) => `constexpr bool ${part} = ${chosenParts.has(part)};`)
  .join('\n')}

}  // namespace broadloom::chosen
`;
}

/** Empty operators for all that are left out, and for those that only have rules. */
function leftOut(operators) {
  const rows = operators.map(
    ({ id, name }) => `constinit const Operator op::${id}{.name = "${name}", .versions = {}};`,
  );
  return `// Written by tools/build/build-for.mjs.
#include "ops/operators.h"

namespace broadloom {

${rows.join('\n')}

}  // namespace broadloom
`;
}

/** The operators that only have rules for dims: those that do not run. */
function ruledOperators() {
  const spaces = { FOREIGN: '', MICROSOFT: 'microsoft::', LEARNING: 'learning::' };
  return tableRows('src/ops/foreign/operators.inc')
    .filter(({ macro }) => macro in spaces)
    .map(({ macro, fields: [id, name] }) => ({ id: spaces[macro] + id, name }));
}

function writeIfChanged(file, text) {
  mkdirSync(dirname(file), { recursive: true });
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
}

/**
 * Builds a module.
 *
 * @param wanted - paths of models, and names of operators
 * @param more - names of parts beyond those that are needed
 * @param typeNames - element types besides the models' types
 * @returns `{ module, operators, parts, types }`: the bytes, and the names of what is in it; no types means all
 */
export async function buildFor(wanted, more = [], typeNames = []) {
  const known = knownOperators();
  const byId = new Map(known.map((one) => [one.id, one]));
  const models = wanted.filter(isFile);
  const chosenParts = new Set();
  const addPart = (part) => {
    if (!Object.hasOwn(parts, part))
      throw new UsageError(`--with: no part '${part}'; there are ${Object.keys(parts).join(', ')}`);
    chosenParts.add(part);
    parts[part].forEach(addPart);
  };
  [...(models.length > 0 ? ['models'] : []), ...more].forEach(addPart);
  const types = await typesFor(models, typeNames);
  const first = wanted.flatMap((one) => (isFile(one) ? operatorsOf(one, known) : [operatorOfCaller(one, known)]));
  const ids = new Set(byId.keys());
  const made = chosenParts.has('models') ? madeByPasses(ids, chosenParts.has('simplify')) : [];
  const chosen = closure([...first.map(({ id }) => id), ...made], callees(ids));
  const operators = known.filter(({ id }) => chosen.has(id));
  const folder = join(root, 'build/wasm/chosen');
  writeIfChanged(join(folder, 'include/ops/chosen.h'), header(operators, chosenParts));
  writeIfChanged(join(folder, 'include/kernels/chosen.h'), kernelHeader(types, usedOperations([...chosen])));
  writeIfChanged(
    join(folder, 'left_out.cpp'),
    leftOut([...known.filter(({ id }) => !chosen.has(id)), ...ruledOperators()]),
  );
  run('emcmake', ['cmake', '--preset', 'wasm'], { quiet: true });
  run('cmake', ['--build', '--preset', 'wasm', '--target', 'broadloom_chosen'], { quiet: true });
  const module = readFileSync(join(root, 'build/wasm/bindings/broadloom_chosen.wasm'));
  const names = operators.map(fullName);
  return {
    module: finishedModule(module, version),
    operators: names,
    parts: [...chosenParts],
    types: types && [...types],
  };
}

const size = (bytes) => `${(gzipSync(bytes, { level: 9 }).length / 1000).toFixed(1)} kB of gzip`;

/**
 * The arguments of tools/build.mjs: whether it is `quiet` and for development (`dev`), and for `runBuildFor` what is `chosen`, if
 * anything is. Ends the program if they are wrong.
 */
export function readArguments(args) {
  const values = { for: [], with: [], types: [], out: [] };
  const texts = Object.fromEntries(Object.keys(values).map((name) => [name, { type: 'string', multiple: true }]));
  try {
    const flags = ['quiet', 'dev'];
    const options = { ...Object.fromEntries(flags.map((name) => [name, { type: 'boolean' }])), ...texts };
    const { tokens } = parseArgs({ args, options, allowPositionals: true, tokens: true });
    let behind;
    for (const { name, value } of tokens) {
      behind = name ?? behind;
      if (value === undefined) continue;
      if (values[behind] === undefined) throw new UsageError(`'${value}' stands behind no option`);
      values[behind].push(...(behind === 'out' || isFile(value) ? [value] : value.split(',').filter(Boolean)));
    }
    const isChosen = values.for.length > 0;
    const has = (flag) => tokens.some(({ name }) => name === flag);
    if (isChosen && has('dev')) throw new UsageError('--dev: a module of chosen operators is for users');
    if (!isChosen && tokens.some(({ name }) => !flags.includes(name)))
      throw new UsageError('--for: wanted files of models, or names of operators');
    if (values.out.length > 1) throw new UsageError(`--out: wanted one file, not ${values.out.join(' and ')}`);
    const { with: more, types, out } = values;
    const chosen = isChosen ? { wanted: values.for, more, types, out: out[0] } : undefined;
    return { quiet: has('quiet'), dev: has('dev'), chosen };
  } catch (error) {
    return refuse(error);
  }
}

/** The command: builds, writes the file, and prints its size beside the size of the whole module. */
export async function runBuildFor({ wanted, more, types: typeNames, out = 'broadloom.wasm' }) {
  try {
    const path = resolve(out);
    if (!existsSync(dirname(path)) || (existsSync(path) && !isFile(path)))
      throw new UsageError(`--out: ${path} cannot be written: wanted a file in a folder that is there`);
    const { module, operators, parts: built, types } = await buildFor(wanted, more, typeNames);
    writeFileSync(path, module);
    console.log(`operators: ${operators.join(', ')}`);
    console.log(`parts: ${built.join(', ') || 'none'}`);
    console.log(`types: ${types?.join(', ') ?? 'all'}`);
    console.log(`${path}: ${size(module)}, the whole module ${size(readFileSync(join(root, 'dist/broadloom.wasm')))}`);
  } catch (error) {
    refuse(error);
  }
}
