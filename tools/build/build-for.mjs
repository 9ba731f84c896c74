// npm run build -- --for model.onnx,... or --for expand,shape,... [--with PART,...] [--types TYPE,...] [--out FILE]: a wasm module
// with the operators and element types of these models, or with these operators, alone, for `load({ wasm })` of the package's
// JavaScript. Prints its size beside the whole one.
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { operatorCounts } from '../models/census.mjs';
import { functionNamesOf } from '../models/reader.mjs';
import { root, run, version } from '../run.mjs';
import { dtypeRows } from '../tables.mjs';
import { refuse, UsageError } from '../usage.mjs';
import { operatorTable } from './operator-table.mjs';
import { finishedModule } from './wasm-module.mjs';

/** Parts of the bindings (src/ops/chosen.h), each with the parts that it needs. */
const parts = {
  models: [],
  describe: ['models'],
  simplify: ['models', 'describe'],
  images: [],
  sound: [],
};

const fullName = ({ domain, name }) => (domain === 'com.microsoft' ? `${domain}.${name}` : name);

const isFile = (path) => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;

/**
 * The operator of a name, with its domain or without. ONNX's come first: onnxruntime writes an operator of its own into ONNX's
 * domain.
 *
 * @param form - of names that are compared
 */
const operatorNamed = ({ operators }, text, form = (name) => name) =>
  operators.find((one) => form(fullName(one)) === form(text)) ??
  operators.find(({ name }) => form(name) === form(text));

/** The operator that a caller names, in any case, and with underscores or without: `Expand`, `expand`, `com.microsoft.Gelu`. */
function operatorOfCaller(text, table) {
  const plain = (name) => name.toLowerCase().replaceAll('_', '');
  const found = operatorNamed(table, text, plain);
  if (found !== undefined) return found;
  if (table.graphs.some((name) => plain(name) === plain(text)))
    throw new UsageError(`--for: ${text} runs graphs of models: every module with the part 'models' has it`);
  throw new UsageError(`--for: there is no file '${text}', and Broadloom runs no operator of this name`);
}

/** The operators of a model, and of its graphs and functions. */
function operatorsOf(path, table) {
  const file = readFileSync(path);
  const others = new Set([...functionNamesOf(file), ...table.graphs]);
  const names = Object.keys(operatorCounts(file)).filter((name) => !others.has(name));
  return names.map((name) => {
    const found = operatorNamed(table, name);
    if (found === undefined) throw new UsageError(`--for ${path}: Broadloom does not run the operator ${name}`);
    return found;
  });
}

const idsOf = (some) => some.map(({ id }) => id);

/** The rows of operators and of those that they call, by ids. */
function closure(ids, rows) {
  const found = new Map();
  const add = (id) => {
    if (found.has(id)) return;
    found.set(id, rows.get(id));
    rows.get(id).calls.forEach(add);
  };
  ids.forEach(add);
  return [...found.values()];
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
 * Operators whose results are dense or broadcasts if their inputs are. A module of these alone has no kernels for transposes and
 * short rows (Writer in src/kernels/movement/strided.cpp), 4 kB of gzip: other layouts would be written item by item.
 */
const broadcasting = new Set(['Constant', 'ConstantOfShape', 'Expand', 'Identity', 'Shape', 'Size']);

/**
 * The header that src/kernels/base/chosen.h includes: loops for the types of the module, and, for an operator and those that it calls,
 * for the types that it chooses itself. Bit n of a number is Operation n.
 */
function kernelHeader(types, chosen, rows, chosenParts) {
  const isThere = ({ name }) => types === undefined || types.has(name);
  const bitsOf = (some, kind) => closure(idsOf(some), rows).reduce((bits, row) => bits | BigInt(row[kind]), 0n);
  const numbers = (kind) => {
    const table = Array(Math.max(...dtypeRows.map(({ id }) => id)) + 1).fill(0n);
    for (const dtype of dtypeRows) {
      const used = isThere(dtype) ? chosen : chosen.filter((row) => row.types.includes(dtype.name));
      table[dtype.id] = bitsOf(used, kind);
    }
    return table.map((bits) => `0x${bits.toString(16)}`).join(', ');
  };
  const typeBits = dtypeRows.filter(isThere).reduce((bits, { id }) => bits + 2 ** id, 0);
  return `// Written by tools/build/build-for.mjs.
#pragma once

#include <cstdint>

#include "core/dtype.h"
#include "kernels/elementwise/loops.h"

namespace broadloom::chosen {

constexpr bool has_all_types = ${types === undefined};
constexpr bool has_type(Dtype dtype) { return ((${typeBits}U >> static_cast<unsigned>(dtype)) & 1U) != 0; }

constexpr bool has(const std::uint64_t* operations, Operation operation, Dtype dtype) {
  return ((operations[static_cast<unsigned>(dtype)] >> static_cast<unsigned>(operation)) & 1U) != 0;
}
constexpr std::uint64_t loops[] = {${numbers('loops')}};
constexpr bool has_other_layouts = ${chosenParts.size > 0 || chosen.some((row) => !broadcasting.has(fullName(row)))};
constexpr bool has_loop(Operation operation, Dtype dtype) { return has(loops, operation, dtype); }
constexpr std::uint64_t folds[] = {${numbers('folds')}};
constexpr bool has_fold(Operation operation, Dtype dtype) { return has(folds, operation, dtype); }

}  // namespace broadloom::chosen
`;
}

/** The header that src/ops/chosen.h includes. */
function operatorHeader(operators, chosenParts) {
  const names = operators.map(({ domain, name }) => `  if (domain == "${domain}" && name == "${name}") return true;`);
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

/** Empty operators for all that are left out. Their definitions are not weak. */
function leftOut(operators) {
  const rows = operators.map(({ id, name }) => {
    const [constant, space] = id.split('::').reverse();
    return `namespace op${space ? `::${space}` : ''} { extern const Operator ${constant}{.name = "${name}", .versions = {}}; }`;
  });
  return `// Written by tools/build/build-for.mjs.
#include "ops/call/operator.h"

namespace broadloom {

${rows.join('\n')}

}  // namespace broadloom
`;
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
  const table = await operatorTable();
  const first = wanted.flatMap((one) => (isFile(one) ? operatorsOf(one, table) : [operatorOfCaller(one, table)]));
  const rows = new Map(table.operators.map((row) => [row.id, row]));
  // Exact passes apply to every model that is loaded.
  const makers = table.passes.filter(({ keepsBits }) => keepsBits || chosenParts.has('simplify'));
  const made = chosenParts.has('models') ? makers.flatMap(({ makes }) => makes) : [];
  const chosen = closure([...idsOf(first), ...made], rows);
  const ids = new Set(idsOf(chosen));
  const operators = table.operators.filter(({ id }) => ids.has(id));
  const folder = join(root, 'build/wasm/chosen');
  writeIfChanged(join(folder, 'ops/chosen_operators.h'), operatorHeader(operators, chosenParts));
  writeIfChanged(join(folder, 'kernels/chosen_kernels.h'), kernelHeader(types, chosen, rows, chosenParts));
  writeIfChanged(join(folder, 'left_out.cpp'), leftOut(table.operators.filter(({ id }) => !ids.has(id))));
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
