// broadloom diff a.onnx b.onnx

import { load, type Runtime, type ValueInfo } from 'broadloom';
import { counted } from '../../shared/counted.js';
import { visible } from '../../shared/visible.js';
import type { Call, Command } from './arguments.js';
import { UsageError } from './errors.js';
import { diffModels, isEqual, type ModelDiff, type ModelLook, type ValuesDiff } from './model-diff.js';
import { operatorName } from './model-facts.js';
import { loadAlone, modelName, readModelBytes } from './model-file.js';
import type { NodeLook } from './node-pairs.js';
import { print, printJson, table } from './output.js';
import { clearProgress, Progress } from './progress.js';
import { typeAndDims } from './shapes.js';

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

function lookAt(ops: Runtime, path: string, bytes: Uint8Array): ModelLook {
  const model = loadAlone(ops, path, bytes);
  const { opset, inputs, outputs, nodes, warnings } = model;
  model.dispose();
  return { opset, inputs, outputs, nodes, warnings };
}

function nodeText(node: NodeLook): string {
  const { name, inputs, outputs, graph } = node;
  const call = `${operatorName({ ...node, version: null })}(${inputs.join(', ')}) -> ${outputs.join(', ')}`;
  return `${name && `${name}: `}${call}${graph && ` in ${graph}`}`;
}

function section(title: string, lines: readonly string[]): void {
  if (lines.length > 0) print(`\n${title}\n${lines.map((line) => `  ${visible(line)}`).join('\n')}`);
}

/** The lines of each of some; of many only those of the first, unless all are wanted. */
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
    ...changed.flatMap(({ a, b }) => [`< ${text(a)}`, `> ${text(b)}`]),
    ...(reordered ? ['those in both stand in another order'] : []),
  ];
}

function nodeLines({ onlyA, onlyB, changed }: ModelDiff['nodes'], all: boolean): string[] {
  return [
    ...listed(onlyA, all, (node) => [`- ${nodeText(node)}`]),
    ...listed(onlyB, all, (node) => [`+ ${nodeText(node)}`]),
    ...listed(changed, all, ({ a, b }) => [`< ${nodeText(a)}`, `> ${nodeText(b)}`]),
  ];
}

function printDiff(
  paths: readonly [string, string],
  looks: readonly [ModelLook, ModelLook],
  diff: ModelDiff,
  bytes: ByteDiff | null,
  call: Call,
): void {
  const { inputs, outputs, operators, nodes, warnings } = diff;
  const head = (side: 'a' | 'b', path: string, { opset }: ModelLook) => [
    side.toUpperCase(),
    modelName(path),
    opset === null ? 'no opset' : `opset ${opset}`,
    counted(nodes[side], 'node'),
    ...(bytes ? [counted(bytes[side], 'byte')] : []),
  ];
  print(table([head('a', paths[0], looks[0]), head('b', paths[1], looks[1])]));
  if (bytes !== null && bytes.first !== null) print(`\nbytes differ from byte ${bytes.first} on`);
  section('inputs', valueLines(inputs));
  section('outputs', valueLines(outputs));
  const rows = operators.map((row) => [operatorName({ ...row, version: null }), `${row.a} -> ${row.b}`]);
  section('operators', rows.length === 0 ? [] : table(rows).split('\n'));
  const { equal, changed, onlyA, onlyB } = nodes;
  const counts = `${equal} equal, ${changed.length} changed, ${onlyA.length} only in A, ${onlyB.length} only in B`;
  section(`nodes: ${counts}`, nodeLines(nodes, call.has('nodes')));
  section('warnings', [
    ...warnings.onlyA.map((warning) => `- ${warning}`),
    ...warnings.onlyB.map((warning) => `+ ${warning}`),
  ]);
}

async function run(call: Call): Promise<number> {
  const [pathA = '', pathB = ''] = call.positionals;
  if (pathA === '-' && pathB === '-') throw new UsageError('only one of the models can be -, standard input');
  const progress = new Progress();
  const ops = await load();
  const read = async (path: string) => {
    progress.step(`loading ${modelName(path)}`);
    const bytes = await readModelBytes(path);
    return { bytes, look: lookAt(ops, path, bytes) };
  };
  const a = await read(pathA);
  const b = await read(pathB);
  progress.step(`comparing ${modelName(pathA)} with ${modelName(pathB)}`);
  const diff = diffModels(a.look, b.look);
  const bytes = call.has('bytes') ? diffBytes(a.bytes, b.bytes) : null;
  const equal = isEqual(diff) && (bytes === null || bytes.first === null);
  clearProgress();
  if (call.has('json')) printJson({ equal, ...(bytes && { bytes }), ...diff });
  else if (equal)
    print(
      `${modelName(pathA)} and ${modelName(pathB)}: ${counted(diff.nodes.a, 'node')}, no difference${bytes === null ? ' (weights and attributes are not compared)' : ', byte for byte'}`,
    );
  else printDiff([pathA, pathB], [a.look, b.look], diff, bytes, call);
  return equal ? 0 : 1;
}

export const diffCommand: Command = {
  name: 'diff',
  summary: 'Tells what differs between two models: inputs, outputs, operators, nodes.',
  takes: 'A.onnx B.onnx',
  least: 2,
  most: 2,
  failure: 2,
  options: {
    nodes: { short: 'n', help: 'list all nodes that differ, not only the first of each kind' },
    bytes: { help: 'compare the bytes of the files, too' },
  },
  more: `
One of the files can be -, which is standard input. A node is found again by the names of its outputs, else by its own
name. Lines with - are in A alone, those with + in B alone; < is what A has and > what B has. Weights, attributes and
metadata are not compared; with --bytes, any difference in them counts.

The exit code is 0 where nothing differs, 1 where something does, and 2 where that cannot be told.

  broadloom diff model.onnx simplified.onnx
  broadloom diff model.onnx copy.onnx --bytes`,
  run,
};
