// broadloom inspect model.onnx

import { load, type Model, type ModelNode } from 'broadloom';
import { counted } from '../../shared/counted.js';
import { type MissingFile, missingFiles, mostNames } from '../../shared/missing-files.js';
import { typeAndDims } from '../../shared/type-and-dims.js';
import { visible } from '../../shared/visible.js';
import type { Call, Command } from './arguments.js';
import { attributesText, metadataRows, plainNodes, replaced } from './model-contents.js';
import { allNodes, countOperators, operatorName, reasonsOf } from './model-facts.js';
import { graphsOf, loadToLookAt, modelName, readModelBytes } from './model-file.js';
import { print, printJson, shownName, table } from './output.js';
import { clearProgress, Progress } from './progress.js';

interface Missing extends MissingFile {
  readonly reason: string;
}

/** `2 initializers: weight, bias` */
function initializersText(names: readonly string[]): string {
  if (names.length === 0) return 'attributes of nodes';
  const rest = names.length - mostNames;
  const first = names.slice(0, mostNames).map(shownName).join(', ');
  return `${counted(names.length, 'initializer')}: ${first}${rest > 0 ? `, and ${rest} more` : ''}`;
}

function printNodes(nodes: readonly ModelNode[], indent: string): void {
  for (const [i, node] of nodes.entries()) {
    const { name, inputs, outputs, unsupported } = node;
    const made = outputs
      .filter((output) => output.name !== '')
      .map(({ name: output, inferred, declared }) => {
        const info = inferred ?? declared;
        const known = info === null ? '' : ` ${typeAndDims(info)}${inferred === null ? ' (declared)' : ''}`;
        return `${shownName(output)}${known}`;
      });
    const called = name === '' ? '' : ` ${shownName(name)}`;
    const reason = unsupported === null ? '' : `  cannot run: ${visible(unsupported)}`;
    const call = `${visible(operatorName(node))}(${inputs.map(shownName).join(', ')})${visible(attributesText(node))}`;
    print(`${indent}#${i}${called}: ${call} -> ${made.join(', ')}${reason}`);
    for (const [attribute, inner] of graphsOf(node)) {
      print(`${indent}  ${visible(attribute)}:`);
      printNodes(inner, `${indent}    `);
    }
  }
}

function printModel(
  path: string,
  model: Model,
  warnings: readonly string[],
  missing: readonly Missing[],
  call: Call,
): void {
  const { opset, inputs, outputs, nodes } = model;
  const every = [...allNodes(nodes)];
  const reasons = reasonsOf(every);
  const runs = reasons.length > 0 ? 'cannot run' : missing.length > 0 ? 'cannot run without missing files' : 'can run';
  print(
    `${modelName(path)}: ${opset === null ? 'no opset' : `opset ${opset}`}, ${counted(every.length, 'node')}, ${runs}`,
  );
  const section = (title: string, rows: string[][]) => {
    if (rows.length > 0) print(`\n${title}\n${table(rows, '  ')}`);
  };
  section(
    'inputs',
    inputs.map((input) => [input.name, typeAndDims(input)]),
  );
  section(
    'outputs',
    outputs.map((output) => [output.name, typeAndDims(output)]),
  );
  section(
    'operators',
    countOperators(every).map((row) => [operatorName(row), String(row.count)]),
  );
  section('file', metadataRows(model));
  section(
    'cannot run',
    reasons.map(({ reason, count, nodes: names }) => [
      counted(count, 'node'),
      `${reason} (${names.join(', ')}${count > names.length ? ', ...' : ''})`,
    ]),
  );
  section(
    'missing files',
    missing.map(({ location, initializers, reason }) => [location, initializersText(initializers), reason]),
  );
  section(
    'warnings',
    warnings.map((warning) => [warning]),
  );
  if (call.has('nodes') && nodes.length > 0) {
    print('\nnodes');
    printNodes(nodes, '  ');
  }
}

async function run(call: Call): Promise<number> {
  const [path = ''] = call.positionals;
  const progress = new Progress();
  const bytes = await readModelBytes(path);
  const ops = await load();
  progress.step(`loading ${modelName(path)}`);
  const { model, unread, problem } = loadToLookAt(ops, path, bytes);
  const warnings = problem === undefined ? model.warnings : [...model.warnings, problem];
  const missing = missingFiles([...unread.keys()], model.initializers).map(
    (file): Missing => ({ ...file, reason: unread.get(file.location) ?? '' }),
  );
  progress.step(`inferring types and shapes of ${modelName(path)}`);
  const every = [...allNodes(model.nodes)];
  clearProgress();
  if (!call.has('json')) printModel(path, model, warnings, missing, call);
  else {
    const { opset, inputs, outputs, nodes, initializers, metadata } = model;
    const unsupported = reasonsOf(every);
    const facts = {
      opset,
      runs: unsupported.length + missing.length === 0,
      inputs,
      outputs,
      operators: countOperators(every),
      unsupported,
      missing,
      metadata,
      initializers,
    };
    printJson({ ...facts, warnings, ...(call.has('nodes') && { nodes: plainNodes(nodes) }) }, replaced);
  }
  return 0;
}

export const inspectCommand: Command = {
  name: 'inspect',
  summary: 'Tells what is in a model: inputs, outputs, operators, and what cannot run.',
  takes: 'MODEL.onnx',
  least: 1,
  most: 1,
  options: { nodes: { short: 'n', help: 'list the nodes, too, with their attributes and what they make' } },
  more: `
MODEL.onnx can be -, which is standard input. A size is a number, a name, or ? where it is not known. Models that
cannot run are shown, too.

  broadloom inspect model.onnx
  broadloom inspect model.onnx --nodes`,
  run,
};
