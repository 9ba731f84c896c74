// broadloom diff a.onnx b.onnx

import { load, type Model, type Runtime, type ValueInfo } from 'broadloom';
import { counted } from '../../shared/counted.js';
import { diffModels, isEqual, type ModelDiff, type ValuesDiff } from '../../shared/model-diff/models.js';
import type { NodeLook } from '../../shared/model-diff/nodes.js';
import type { Distance, WeightLook, WeightsDiff } from '../../shared/model-diff/weights.js';
import { typeAndDims } from '../../shared/type-and-dims.js';
import { visible } from '../../shared/visible.js';
import type { Call, Command } from './arguments.js';
import { sha256Of } from './digest.js';
import { UsageError } from './errors.js';
import { replaced } from './model-contents.js';
import { operatorName } from './model-facts.js';
import { loadToLookAt, modelName, readModelBytes } from './model-file.js';
import { print, printJson, table } from './output.js';
import { clearProgress, Progress } from './progress.js';

const longestList = 10;

interface ByteDiff {
  readonly a: number;
  readonly b: number;
  /** Where the first byte differs, or the shorter file ends; null where none does. */
  readonly first: number | null;
}

function diffBytes(a: Uint8Array, b: Uint8Array): ByteDiff {
  const length = Math.min(a.length, b.length);
  let first = 0;
  while (first < length && a[first] === b[first]) first++;
  return { a: a.length, b: b.length, first: first === a.length && first === b.length ? null : first };
}

/** With some of its attributes. */
function nodeText(node: NodeLook, attributes: readonly string[] = []): string {
  const { name, inputs, outputs, graph } = node;
  const call = `${operatorName({ ...node, version: null })}(${inputs.join(', ')}) -> ${outputs.join(', ')}`;
  const given = attributes.map((attribute) => `${attribute}: ${node.attributes[attribute] ?? 'none'}`);
  const shown = given.length === 0 ? '' : ` {${given.join(', ')}}`;
  return `${name && `${name}: `}${call}${shown}${graph && ` in ${graph}`}`;
}

function changedNode({ a, b }: { a: NodeLook; b: NodeLook }): string[] {
  const names = [...new Set([...Object.keys(a.attributes), ...Object.keys(b.attributes)])].sort();
  const differing = names.filter((name) => a.attributes[name] !== b.attributes[name]);
  return [`- ${nodeText(a, differing)}`, `+ ${nodeText(b, differing)}`];
}

function section(title: string, lines: readonly string[]): void {
  if (lines.length > 0) print(`\n${title}\n${lines.map((line) => `  ${visible(line)}`).join('\n')}`);
}

/** The lines of each item; of many items only the lines of the first ones, unless all are wanted. */
function listed<T>(every: readonly T[], all: boolean, lines: (one: T) => string[]): string[] {
  if (all || every.length <= longestList) return every.flatMap(lines);
  const rest = `... and ${every.length - longestList} more: --nodes lists all`;
  return [...every.slice(0, longestList).flatMap(lines), rest];
}

function valueLines({ onlyA, onlyB, changed, reordered }: ValuesDiff): string[] {
  const text = (value: ValueInfo) => `${value.name}  ${typeAndDims(value)}`;
  return [
    ...onlyA.map((value) => `- ${text(value)}`),
    ...onlyB.map((value) => `+ ${text(value)}`),
    ...changed.flatMap(({ a, b }) => [`- ${text(a)}`, `+ ${text(b)}`]),
    ...(reordered ? ['those in both stand in another order'] : []),
  ];
}

function nodeLines({ onlyA, onlyB, changed }: ModelDiff['nodes'], all: boolean): string[] {
  return [
    ...listed(onlyA, all, (node) => [`- ${nodeText(node)}`]),
    ...listed(onlyB, all, (node) => [`+ ${nodeText(node)}`]),
    ...listed(changed, all, changedNode),
  ];
}

function weightText({ name, graph, type, dims, sha256 }: WeightLook): string {
  const digest = sha256 === null ? '' : `  sha256 ${sha256.slice(0, 16)}`;
  return `${name}  ${type} [${dims.join(', ')}]${digest}${graph && ` in ${graph}`}`;
}

function distanceText({ differing, elements, absolute, relative }: Distance): string {
  const most = absolute === null ? '' : `, by ${absolute} at most`;
  const beside = relative === null ? '' : ` (${relative.toPrecision(3)} of the value)`;
  return `  ${differing} of ${counted(elements, 'element')} differ${most}${beside}`;
}

function weightLines({ onlyA, onlyB, changed }: WeightsDiff, all: boolean): string[] {
  return [
    ...listed(onlyA, all, (weight) => [`- ${weightText(weight)}`]),
    ...listed(onlyB, all, (weight) => [`+ ${weightText(weight)}`]),
    ...listed(changed, all, ({ a, b, distance }) => [
      `- ${weightText(a)}`,
      `+ ${weightText(b)}`,
      ...(distance === null ? [] : [distanceText(distance)]),
    ]),
  ];
}

/** Says which weights could not be compared. */
function unreadText({ unread }: WeightsDiff): string {
  if (unread.length === 0) return '';
  const [first] = unread;
  return `not compared: ${counted(unread.length, 'weight')} in files that cannot be read, such as '${first?.name}'`;
}

function printDiff(
  paths: readonly [string, string],
  models: readonly [Model, Model],
  diff: ModelDiff,
  bytes: ByteDiff | null,
  call: Call,
): void {
  const { inputs, outputs, operators, nodes, weights, metadata, warnings } = diff;
  const head = (side: 'a' | 'b', path: string, { opset }: Model) => [
    side.toUpperCase(),
    modelName(path),
    opset === null ? 'no opset' : `opset ${opset}`,
    counted(nodes[side], 'node'),
    ...(bytes ? [counted(bytes[side], 'byte')] : []),
  ];
  print(table([head('a', paths[0], models[0]), head('b', paths[1], models[1])]));
  if (bytes !== null && bytes.first !== null) print(`\nbytes differ from byte ${bytes.first} on`);
  section('inputs', valueLines(inputs));
  section('outputs', valueLines(outputs));
  const rows = operators.map((row) => [operatorName({ ...row, version: null }), `${row.a} -> ${row.b}`]);
  section('operators', rows.length === 0 ? [] : table(rows).split('\n'));
  const { equal, changed, onlyA, onlyB } = nodes;
  const counts = `${equal} equal, ${changed.length} changed, ${onlyA.length} only in A, ${onlyB.length} only in B`;
  section(`nodes: ${counts}`, nodeLines(nodes, call.has('nodes')));
  const { a, b, ...found } = weights;
  const told = `${found.equal} equal, ${found.changed.length} changed, ${found.onlyA.length} only in A, ${found.onlyB.length} only in B`;
  section(a + b === 0 ? '' : `weights: ${told}`, weightLines(weights, call.has('nodes')));
  section(
    'weights',
    [unreadText(weights)].filter((text) => text !== ''),
  );
  section(
    'file',
    metadata.flatMap((row) => [
      `- ${row.key}: ${JSON.stringify(row.a, replaced)}`,
      `+ ${row.key}: ${JSON.stringify(row.b, replaced)}`,
    ]),
  );
  section('warnings', [
    ...warnings.onlyA.map((warning) => `- ${warning}`),
    ...warnings.onlyB.map((warning) => `+ ${warning}`),
  ]);
}

async function run(call: Call): Promise<number> {
  const [pathA = '', pathB = ''] = call.positionals;
  if (pathA === '-' && pathB === '-') throw new UsageError('only one of the models can be -, standard input');
  const progress = new Progress();
  // A runtime for each: the weights of both may not fit the memory of one.
  const runtimes = [await load({}), await load({})] as const;
  const read = async (ops: Runtime, path: string) => {
    progress.step(`loading ${modelName(path)}`);
    const bytes = await readModelBytes(path);
    return { bytes, model: loadToLookAt(ops, path, bytes).model };
  };
  const a = await read(runtimes[0], pathA);
  const b = await read(runtimes[1], pathB);
  progress.step(`comparing ${modelName(pathA)} with ${modelName(pathB)}`);
  const diff = diffModels(a.model, b.model, {
    ofAttribute: (data) => `sha256 ${sha256Of(data).slice(0, 16)}`,
    ofWeight: sha256Of,
  });
  const bytes = call.has('bytes') ? diffBytes(a.bytes, b.bytes) : null;
  const equal = isEqual(diff) && (bytes === null || bytes.first === null);
  clearProgress();
  const unread = unreadText(diff.weights);
  if (call.has('json')) printJson({ equal, ...(bytes && { bytes }), ...diff }, replaced);
  else if (equal)
    print(
      `${modelName(pathA)} and ${modelName(pathB)}: ${counted(diff.nodes.a, 'node')}, no difference${bytes === null ? '' : ', byte for byte'}${unread && `\n${unread}`}`,
    );
  else printDiff([pathA, pathB], [a.model, b.model], diff, bytes, call);
  return equal ? 0 : 1;
}

export const diffCommand: Command = {
  name: 'diff',
  summary: 'Tells what differs between two models: inputs, outputs, nodes, attributes, weights.',
  takes: 'A.onnx B.onnx',
  least: 2,
  most: 2,
  failure: 2,
  options: {
    nodes: { short: 'n', help: 'list all nodes and weights that differ, not only the first of each kind' },
    bytes: { help: 'compare the bytes of the files, too' },
  },
  more: `
One of the files can be -, which is standard input. A node is found again by the names of its outputs, else by its
own name; other names and the words about a node do not count as differences. Lines with - are of A, those with + of
B, as in Git. Weights are compared by their names and a digest of their elements; where these differ, the largest
difference is told. With --bytes, any difference in the files counts.

The exit code is 0 where nothing differs, 1 where something does, and 2 where that cannot be told.

  broadloom diff model.onnx simplified.onnx
  broadloom diff model.onnx copy.onnx --bytes`,
  run,
};
