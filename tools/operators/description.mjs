// The knowledge of the generator of typed methods about an operator: its inputs with their types, its attributes, and what it returns.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { methodName } from '../../shared/method-name.js';
import { root } from '../run.mjs';
import { dtypeRows as dtypes } from '../tables.mjs';

const { rows } = JSON.parse(readFileSync(join(root, 'data/schemas.json'), 'utf8'));
const nameOf = (onnxName) => dtypes.find((row) => row.onnxName.toLowerCase() === onnxName.toLowerCase())?.name;

/** All versions of an operator, as ONNX's schemas have them. */
export const versionsOf = (operator) => rows.filter((row) => row.operator === operator);

export const quoted = (names) => names.map((name) => `'${name}'`).join(' | ');

/** The TypeScript type of a set of element types. */
function unionOf(types) {
  const all = dtypes.map(({ name }) => name);
  const missing = all.filter((name) => !types.includes(name));
  if (missing.length === 0) return 'DataType';
  return missing.length < types.length ? `Exclude<DataType, ${quoted(missing)}>` : quoted(types);
}

/** The types that any version of an operator allows for a parameter of its newest version; the one that it has there. */
function typesOf(versions, side, index) {
  const types = new Set();
  const newest = versions.at(-1);
  const { type } = newest[side][index];
  const isFixed = !(type in newest.type_constraints) || newest.type_constraints[type].join() === 'int64';
  for (const version of isFixed ? [newest] : versions) {
    const parameter = version[side][index];
    if (parameter === undefined) continue;
    const list = version.type_constraints[parameter.type] ?? [parameter.type];
    for (const name of list.map(nameOf)) if (name !== undefined) types.add(name);
  }
  return dtypes.map(({ name }) => name).filter((name) => types.has(name));
}

/**
 * Names of the unions that are not all types. The types of an operator's first type variable have the operator's name:
 * ExpandType.
 */
export const aliases = new Map();
function aliasOf(operator, union, count) {
  if (union === 'DataType') return union;
  const name = `${operator}${count === 0 ? '' : count + 1}Type`;
  aliases.set(name, { operator, union });
  return name;
}

export const isOfIndices = (types) => types.includes('int64') && types.every((type) => /^int(32|64)$/.test(type));

/** The input whose type an output has where no attribute names a type: as in the last version without such an attribute. */
function sourceOfType(versions) {
  const newest = versions.at(-1);
  const before = versions.findLast(({ attributes }) => !attributes.some(({ isDataType }) => isDataType));
  return (before === undefined ? newest.inputs[0] : before.inputs.find(({ type }) => type === before.outputs[0].type))
    ?.name;
}

/** The types that attributes name by default, by their numbers. */
const standardTypes = { 1: "'float32'", 6: "'int32'" };

/** The TypeScript type of what a call returns: of one output, or of all. */
function returnsOf({ operator, versions, named, variables }) {
  const newest = versions.at(-1);
  const outputOf = (parameter, index) => {
    if (named !== undefined) return 'Tensor<To>';
    const types = typesOf(versions, 'outputs', index);
    const type = variables.has(parameter.type) ? parameter.type : types.length === 1 ? quoted(types) : 'DataType';
    return `Tensor<${type}>`;
  };
  // The outputs of BatchNormalization after the first are for training, which does not run.
  const outputs = operator === 'BatchNormalization' ? newest.outputs.slice(0, 1) : newest.outputs;
  const [output] = outputs;
  if (output.option === 'Variadic') return { several: true, returns: `${outputOf(output, 0)}[]` };
  if (outputs.length === 1) return { several: false, returns: outputOf(output, 0) };
  return { several: true, returns: `[${outputs.map(outputOf).join(', ')}]` };
}

/** Elementwise operators of operands of one type take a number in the first place, too: 1 - x. */
function takesNumberFirst(operator, { group }, inputs) {
  const needed = inputs.filter(({ optional, variable }) => !optional && variable !== undefined);
  const isShared = needed.length > 1 && needed.every(({ variable }) => variable === needed[0].variable);
  return isShared && (['arithmetic', 'logic', 'bits'].includes(group) || operator === 'Where');
}

/** `words` come from data/operators. */
export function describe(operator, words) {
  const versions = versionsOf(operator);
  const newest = versions.at(-1);
  // A type variable of the inputs is a type parameter. Other inputs have the types of a list.
  const variables = new Map();
  const inputs = newest.inputs.map((parameter, index) => {
    const types = typesOf(versions, 'inputs', index);
    const isFixed = isOfIndices(types) || !(parameter.type in newest.type_constraints) || types.length === 1;
    if (!isFixed && !variables.has(parameter.type))
      variables.set(parameter.type, aliasOf(operator, unionOf(types), variables.size));
    return {
      name: parameter.name.replace(/^[A-Z]+(?![a-z])/, (start) => start.toLowerCase()),
      schemaName: parameter.name,
      optional: parameter.option === 'Optional',
      variadic: parameter.option === 'Variadic',
      types,
      ...(isFixed ? {} : { variable: parameter.type }),
    };
  });
  const named = newest.attributes.find(({ isDataType }) => isDataType);
  const standard = standardTypes[named?.default];
  const source = named === undefined || named.required || standard ? undefined : sourceOfType(versions);
  const returned = returnsOf({ operator, versions, named, variables });
  // The first element type that an attribute names is the type of the output.
  const attributes = newest.attributes.map((attribute) => {
    if (!attribute.isDataType) return attribute;
    const to = variables.has('To') ? 'DataType' : 'To';
    variables.set('To', 'DataType');
    return { ...attribute, to };
  });
  return {
    operator,
    method: methodName(operator),
    words: words.en,
    numberFirst: takesNumberFirst(operator, words, inputs),
    variadic: inputs.at(-1)?.variadic ?? false,
    versions,
    variables,
    inputs,
    attributes,
    source,
    standard,
    ...returned,
  };
}
