// broadloom operators [NAME]
import { type AttributeRow, load, type Operator, type OperatorVersion, type ParameterRow } from 'broadloom';
import type { Call, Command } from './arguments.js';
import { operatorOf } from './operator-rows.js';
import { print, printJson, table } from './output.js';
import { typesText } from './shapes.js';

/** The types of the newest version's first constraint of many, which says what the operator is for. */
function typesOf({ versions }: Operator): string {
  const { typeConstraints, inputs, outputs } = versions.at(-1) as OperatorVersion;
  const all = [...inputs, ...outputs].map(({ type }) => typeConstraints[type] ?? []);
  return typesText(all.reduce((most, types) => (types.length > most.length ? types : most), []));
}

function parameter({ name, type, option }: ParameterRow, { typeConstraints }: OperatorVersion): string[] {
  const types = typeConstraints[type];
  const what = option === 'Single' ? '' : option === 'Optional' ? ' (optional)' : ' (any number)';
  return [`${name}${what}`, types === undefined ? type : `${type}: ${typesText(types)}`];
}

function attribute({ name, type, required, default: value, choices, isDataType }: AttributeRow): string[] {
  const facts = [
    isDataType ? `${type} of an element type` : type,
    ...(choices ? [choices.join(' | ')] : []),
    ...(required ? ['required'] : []),
    ...(value === undefined ? [] : [`default ${value}`]),
  ];
  return [name, facts.join(', ')];
}

function printVersion(operator: string, version: OperatorVersion): void {
  print(`${operator}-${version.sinceVersion}`);
  const parts: [string, string[][]][] = [
    ['inputs', version.inputs.map((row) => parameter(row, version))],
    ['outputs', version.outputs.map((row) => parameter(row, version))],
    ['attributes', version.attributes.map(attribute)],
  ];
  for (const [title, rows] of parts) if (rows.length > 0) print(`  ${title}\n${table(rows, '    ')}`);
}

async function run(call: Call): Promise<number> {
  const ops = await load();
  const [name] = call.positionals;
  if (name !== undefined) {
    const operator = operatorOf(ops, name);
    if (call.has('json')) printJson(operator);
    else for (const version of operator.versions) printVersion(name, version);
    return 0;
  }
  const operators = ops.operators();
  if (call.has('json')) printJson({ operators });
  else {
    const rows = operators.map((operator) => [
      operator.name,
      operator.versions.map(({ sinceVersion }) => sinceVersion).join(', '),
      typesOf(operator),
    ]);
    print(table([['operator', 'versions', 'types (newest version)'], ...rows]));
  }
  return 0;
}

export const operatorsCommand: Command = {
  name: 'operators',
  summary: 'Lists the operators that run, with their versions and types.',
  takes: '[OPERATOR]',
  least: 0,
  most: 1,
  options: {},
  more: `
With an OPERATOR, lists the inputs, outputs and attributes of each of its versions.

  broadloom operators
  broadloom operators Expand`,
  run,
};
