// broadloom op Expand --opset 13 --input input:float32=[1] --input shape=[2,3]
import {
  type AttributeRow,
  type AttributeValue,
  type DataType,
  load,
  type OperatorVersion,
  type ParameterRow,
  type Runtime,
  type SparseTensorLike,
  type Tensor,
} from 'broadloom';
import { didYouMean } from '../../shared/names.js';
import { quote } from '../../shared/visible.js';
import { type Call, type Command, opsetOf } from './arguments.js';
import { readAttribute } from './attributes.js';
import { aboutValues, inputOption } from './command-run.js';
import { UsageError } from './errors.js';
import { type Assignment, readAssignment, readValue, typeOfValue, withMedia } from './inputs.js';
import { example, operatorOf, typeOf, versionOf } from './operator-rows.js';
import { clearProgress, Progress } from './progress.js';
import { checkResultOptions, giveResults, resultOptions } from './results.js';

/** By type parameter, the type of the first operand that says one: a number beside a float32 tensor is float32, too. */
function givenTypes(
  ops: Runtime,
  assignments: readonly Assignment[],
  rows: readonly ParameterRow[],
): Map<string, DataType> {
  const types = new Map<string, DataType>();
  for (const { name, type } of rows) {
    for (const assignment of assignments) {
      if (assignment.name !== name || types.has(type)) continue;
      const found = typeOfValue(ops, `input '${name}'`, assignment);
      if (found !== undefined) types.set(type, found);
    }
  }
  return types;
}

/** The tensors in the operator's order; null for one that is left out. */
function readInputs(
  ops: Runtime,
  operator: string,
  version: OperatorVersion,
  assignments: readonly Assignment[],
): (Tensor | null)[] {
  const rows = version.inputs;
  const names = rows.map(({ name }) => name);
  const unknown = assignments.find(({ name }) => !names.includes(name));
  if (unknown) {
    const has = names.length > 0 ? `it has ${names.map(quote).join(', ')}` : 'it has none';
    throw new UsageError(
      `${operator} has no input ${quote(unknown.name)}${didYouMean(unknown.name, names) || `; ${has}`}`,
    );
  }
  let types: Map<string, DataType> | undefined;
  const typeOfOthers = (type: string) => {
    types ??= givenTypes(ops, assignments, rows);
    return types.get(type);
  };
  const inputs = rows.flatMap((row): (Tensor | null)[] => {
    const given = assignments.filter(({ name }) => name === row.name);
    if (given.length > 1 && row.option !== 'Variadic') throw new UsageError(`input '${row.name}' is given twice`);
    if (given.length === 0 && row.option === 'Single')
      throw new UsageError(
        `input '${row.name}' is missing: write --input ${row.name}=FILE or --input '${example(row, version)}=[1, 2]'`,
      );
    if (given.length === 0) return row.option === 'Variadic' ? [] : [null];
    return given.map((assignment) =>
      readValue(
        ops,
        `input '${row.name}'`,
        assignment,
        () => typeOfOthers(row.type) ?? typeOf(operator, row, version, assignment.text),
      ),
    );
  });
  while (inputs.at(-1) === null) inputs.pop();
  return inputs;
}

function readAttributes(
  ops: Runtime,
  call: Call,
  rows: readonly AttributeRow[],
): { [name: string]: AttributeValue | SparseTensorLike } {
  const assignments = call.all('attr').map((argument) =>
    readAssignment(
      ops,
      'attr',
      argument,
      rows.map(({ name }) => name),
    ),
  );
  const given = new Set<string>();
  const entries = assignments.map((assignment): [string, AttributeValue] => {
    if (given.has(assignment.name)) throw new UsageError(`attribute ${quote(assignment.name)} is given twice`);
    given.add(assignment.name);
    return [
      assignment.name,
      readAttribute(
        ops,
        assignment,
        rows.find(({ name }) => name === assignment.name),
      ),
    ];
  });
  return Object.fromEntries(entries);
}

/** Names of the results: the schema's; a variadic output is numbered. */
function nameOutputs(rows: readonly ParameterRow[], tensors: readonly Tensor[]): { name: string; tensor: Tensor }[] {
  const last = rows.length - 1;
  return tensors.map((tensor, i) => {
    const row = rows[Math.min(i, last)];
    return { name: row?.option === 'Variadic' ? `${row.name}_${i - last}` : (row?.name ?? `output_${i}`), tensor };
  });
}

async function run(call: Call): Promise<number> {
  checkResultOptions(call);
  const opset = opsetOf(call);
  const progress = new Progress();
  const ops = await load();
  const operator = operatorOf(ops, call.positionals[0] ?? '');
  const { name } = operator;
  const version = versionOf(operator, opset);
  const names = version.inputs.map((row) => row.name);
  const given = call.all('input').map((argument) => readAssignment(ops, 'input', argument, names));
  const assignments = await withMedia(given);
  const inputs = readInputs(ops, name, version, assignments);
  const attributes = readAttributes(ops, call, version.attributes);
  progress.step(`running ${name}`);
  const outputs = ops.run(name, inputs, attributes as { [name: string]: AttributeValue }, { opset }) as Tensor[];
  giveResults(
    ops,
    call,
    nameOutputs(version.outputs, outputs),
    assignments.map(({ text }) => text),
    progress,
  );
  clearProgress();
  return 0;
}

export const opCommand: Command = {
  name: 'op',
  summary: 'Runs one operator.',
  takes: 'OPERATOR',
  least: 1,
  most: 1,
  options: {
    opset: { value: 'N', help: 'picks the version of the operator (default: the newest)' },
    input: inputOption,
    attr: { value: 'NAME=VALUE', short: 'a', multiple: true, help: 'an attribute; NAME:TYPE=VALUE for a tensor' },
    ...resultOptions,
  },
  more: `
Inputs and attributes have ONNX's names: broadloom operators OPERATOR lists them.

${aboutValues} Where an input can be of
several types, a list has that of the first operand of the same types; one must say it: NAME:TYPE=VALUE. Attributes
that are strings need no quotes.

  broadloom op Mul --input A=a.npy --input B=2
  broadloom op Expand --input 'input:float32=[[1], [2]]' --input 'shape=[2, 3]'
  broadloom op ConstantOfShape --opset 9 --input 'input=[2, 3]' --attr 'value:int32=[7]'`,
  run,
};
