// Writes js/src/operators.generated.ts: a typed method for each operator, listed in src/ops/operators.inc, from the
// facts of ONNX's schemas, which tests compare with the rows of src/ops. Comments are made of the operators' words (data/operators).
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { methodName } from '../shared/method-name.js';
import { dtypeRows as dtypes } from './dtype-table.mjs';
import { operatorWords } from './operator-words.mjs';
import { root } from './run.mjs';

/** These have methods of their own in js/src/runtime.ts: what they return depends on what their arguments are. */
const writtenByHand = ['Constant', 'ConstantOfShape', 'Range'];

const { rows } = JSON.parse(readFileSync(join(root, 'data/schemas.json'), 'utf8'));
const nameOf = (onnxName) => dtypes.find((row) => row.onnxName.toLowerCase() === onnxName.toLowerCase())?.name;

const quoted = (names) => names.map((name) => `'${name}'`).join(' | ');

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

const attributeTypes = {
  INT: 'number | bigint | boolean',
  FLOAT: 'number',
  STRING: 'string',
  TENSOR: 'TensorLike',
  INTS: 'number | bigint | readonly (number | bigint)[] | IntegerArray',
  FLOATS: 'readonly number[] | Float32Array',
  STRINGS: 'readonly string[]',
};

/** Names of the unions that are not all types. Those of an operator's first type variable have its name: ExpandType. */
const aliases = new Map();
function aliasOf(operator, union, count) {
  if (union === 'DataType') return union;
  const name = `${operator}${count === 0 ? '' : count + 1}Type`;
  aliases.set(name, { operator, union });
  return name;
}

const isOfIndices = (types) => types.includes('int64') && types.every((type) => /^int(32|64)$/.test(type));

/** The input whose type an output has where no attribute names a type: as in the last version without such an attribute. */
function sourceOfType(versions) {
  const newest = versions.at(-1);
  const before = versions.findLast(({ attributes }) => !attributes.some(({ isDataType }) => isDataType));
  return (before === undefined ? newest.inputs[0] : before.inputs.find(({ type }) => type === before.outputs[0].type))
    ?.name;
}

/** The types that attributes name by default, by their numbers. */
const standardTypes = { 1: "'float32'", 6: "'int32'" };

function describe(operator, versions, words) {
  const newest = versions.at(-1);
  const variadic = newest.inputs.at(-1)?.option === 'Variadic';
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
  const outputOf = (parameter, index) => {
    if (named !== undefined) return 'Tensor<To>';
    const types = typesOf(versions, 'outputs', index);
    const type = variables.has(parameter.type) ? parameter.type : types.length === 1 ? quoted(types) : 'DataType';
    return `Tensor<${type}>`;
  };
  // Those of BatchNormalization behind the first are of training, which does not run.
  const outputs = operator === 'BatchNormalization' ? newest.outputs.slice(0, 1) : newest.outputs;
  const [output] = outputs;
  const several = outputs.length > 1 || output.option === 'Variadic';
  const returns =
    output.option === 'Variadic'
      ? `${outputOf(output, 0)}[]`
      : several
        ? `[${outputs.map(outputOf).join(', ')}]`
        : outputOf(output, 0);
  // The first element type that an attribute names is that of the output.
  const attributes = newest.attributes.map(({ name, type, required, choices, isDataType }) => {
    const isOther = isDataType && variables.has('To');
    if (isDataType) variables.set('To', 'DataType');
    const known = isDataType ? `${isOther ? 'DataType' : 'To'} | number` : choices && quoted(choices);
    return { name, required, type: known ?? attributeTypes[type] };
  });
  return {
    operator,
    method: methodName(operator),
    words,
    variadic,
    variables,
    inputs,
    attributes,
    source,
    standard,
    returns,
    several,
  };
}

/** The TypeScript type of an input of a type variable. Only the operand that `infers` tells the variable's type. */
function operandType({ variable, variadic }, union, infers, isTensor, isLoose) {
  const tensorOf = (name) => (isLoose && union !== 'DataType' ? `Perhaps<${name}, ${union}>` : `TensorLike<${name}>`);
  const told = `${tensorOf(`NoInfer<${variable}>`)} | NumberOf<NoInfer<${variable}>>`;
  // A list in brackets tells the type by its first operand. All operands of another list are of one type.
  if (variadic && infers) return `readonly [${tensorOf(variable)}, ...(${told})[]]`;
  if (variadic) return `OneType<${variable}, readonly ${tensorOf(variable)}[]>`;
  if (!infers) return told;
  return isTensor ? tensorOf(variable) : `${tensorOf(variable)} | number | bigint`;
}

/** The TypeScript type of an input that has one of a few types. `parameter` is a type parameter of its own. */
function fixedType({ types }, parameter) {
  const union = quoted(types);
  const tensor = parameter === undefined ? `TensorLike<${union}>` : `Perhaps<${parameter}, ${union}>`;
  if (isOfIndices(types)) return `${tensor} | DimsLike | number | bigint`;
  return types.join() === 'bool' ? `${tensor} | boolean | readonly boolean[]` : `${tensor} | number | bigint`;
}

/**
 * Whether a number may stand for an input that is the only one of its type variable. The first input is a tensor, unless it is a
 * length.
 */
const isNumeric = ({ variable, types, schemaName }, inputs) =>
  isOfIndices(types) ||
  (schemaName !== inputs[0].schemaName &&
    inputs.filter((other) => other.variable === variable).length === 1 &&
    (types.includes('float32') || types.includes('int64')));

/**
 * The signature for `count` inputs in which operand number `at` of those that share a type variable tells its type. Loose ones
 * take tensors whose types are known when the program runs.
 */
function signatureOf({ method, variables, inputs, attributes, source, standard, returns }, count, at, isLoose) {
  const given = inputs.slice(0, count);
  const own = []; // type parameters of inputs without a type variable
  const seen = new Map();
  const parameters = given.map((input) => {
    const { name, optional, variable } = input;
    let type;
    if (variable === undefined) {
      const parameter = isLoose ? `P${own.length + 1}` : undefined;
      if (isLoose) own.push(parameter);
      type = fixedType(input, parameter);
    } else {
      const place = seen.get(variable) ?? 0;
      seen.set(variable, place + 1);
      const teller = Math.min(at, inputs.filter((other) => other.variable === variable && !other.optional).length - 1);
      type = operandType(
        input,
        variables.get(variable),
        input.variadic ? at === 0 : place === Math.max(teller, 0),
        !isNumeric(input, inputs),
        isLoose,
      );
    }
    return `${name}: ${type}${optional ? ' | null | undefined' : ''}`;
  });
  // A number has this type where no operand tells it.
  const numberType = (variable) =>
    inputs.some((it) => it.variable === variable && isNumeric(it, inputs) && it.types.includes('float32'))
      ? " = 'float32'"
      : '';
  const from = given.find(({ schemaName }) => schemaName === source)?.variable;
  const parametersOfType = [
    ...[...variables].map(([name, union]) =>
      name === 'To'
        ? `To extends DataType = ${standard ?? from ?? 'DataType'}`
        : `${name} extends ${isLoose && union !== 'DataType' ? 'DataType' : union}${numberType(name)}`,
    ),
    ...own.map((name) => `${name} extends DataType`),
  ];
  // Those with a default come last.
  const hasDefault = (text) => text.includes(' = ');
  const generics = [
    ...parametersOfType.filter((text) => !hasDefault(text)),
    ...parametersOfType.filter(hasDefault),
  ].join(', ');
  const needed = attributes.some(({ required }) => required);
  const fields = attributes.map(
    ({ name, required, type }) => `${name}${required ? '' : '?'}: ${type}${required ? '' : ' | undefined'}`,
  );
  const last = [
    ...(fields.length > 0 ? [`attributes${needed ? '' : '?'}: { ${fields.join('; ')} }`] : []),
    'options?: OperatorOptions',
  ];
  return `${method}${generics === '' ? '' : `<${generics}>`}(${[...parameters, ...last].join(', ')}): ${returns};`;
}

/** All signatures of an operator. The whole call comes first: its comment is the documentation. */
function signaturesOf(it) {
  const { inputs } = it;
  const required = inputs.filter(({ optional }) => !optional).length;
  const sharing = (variable) => inputs.filter((input) => input.variable === variable && !input.optional).length;
  const tellers = Math.max(
    it.variadic ? 2 : 1,
    ...inputs.map(({ variable }) => (variable === undefined ? 1 : sharing(variable))),
  );
  const signatures = [];
  for (const isLoose of [false, true]) {
    for (let at = 0; at < tellers; at++) {
      // Optional inputs at the end may be left out before the attributes.
      for (let count = inputs.length; count >= required; count--) signatures.push(signatureOf(it, count, at, isLoose));
    }
  }
  return [...new Set(signatures)];
}

function documentationOf({ operator, words, inputs, attributes }) {
  const link = `[${operator}](https://github.com/onnx/onnx/blob/main/docs/Operators.md#${operator})`;
  const lines = [`${link}: ${words === undefined ? 'see there.' : words.summary}`, ''];
  for (const { name, schemaName } of inputs) lines.push(`@param ${name} - ${words?.inputs[schemaName] ?? schemaName}`);
  if (attributes.length > 0) {
    const told = attributes.map(({ name }) => `\`${name}\`: ${words?.attributes[name] ?? name}`);
    lines.push(`@param attributes - ${told.join(' ')}`);
  }
  lines.push("@param options - `opset`, which picks the operator's version");
  lines.push(
    '@throws {@link OnnxError} `INVALID_ARGUMENT`, `UNSUPPORTED_TYPE`, `UNKNOWN_OPERATOR`, `OUT_OF_MEMORY`, `DISPOSED`',
  );
  return lines;
}

const listed = readFileSync(join(root, 'src/ops/operators.inc'), 'utf8').matchAll(/^OPERATOR\(\w+, "(\w+)"\)$/gm);
const operators = [...listed]
  .map(([, operator]) => operator)
  .filter((operator) => !writtenByHand.includes(operator))
  .map((operator) =>
    describe(
      operator,
      rows.filter((row) => row.operator === operator),
      operatorWords[operator]?.en,
    ),
  );

const methods = operators.flatMap((it) => {
  const [first, ...others] = signaturesOf(it);
  const comment = ['  /**', ...documentationOf(it).map((line) => `   * ${line}`.trimEnd()), '   */'];
  return [
    ...comment,
    `  ${first}`,
    ...others.map((other) => `  /** ${it.operator}, with other inputs. Errors are those above. */\n  ${other}`),
  ];
});
/** The methods. Most pass on what they are given as it comes: a list of all arguments takes 15 ns. */
const implementations = operators.map(({ operator, method, inputs, variadic, attributes, several }) => {
  const write = (parameters, given) =>
    `    ${method}(${parameters}) {\n      return ${several ? 'several' : 'one'}(this, '${operator}', ${given});\n    }`;
  const required = inputs.filter(({ optional }) => !optional).length;
  if (required < inputs.length)
    return write(
      '...given: unknown[]',
      `...read('${operator}', given, ${required}, ${inputs.length}, ${attributes.length > 0})`,
    );
  const names = inputs.map((_, i) => `x${i}`);
  const parameters = [
    ...names.map((name) => `${name}: OperatorInput${variadic ? '[]' : ''}`),
    ...(attributes.length > 0 ? ['attributes?: Attributes'] : []),
    'options?: OperatorOptions',
  ];
  const taken = parameters.push('...more: unknown[]') - 1;
  const list = variadic ? `copyOf('${operator}', x0)` : `[${names.join(', ')}]`;
  return write(
    parameters.join(', '),
    `${list}, ${attributes.length > 0 ? 'attributes' : 'undefined'}, options, more.length, ${taken}`,
  );
});
const text = `// Generated from ONNX's schemas by tools/generate-operators.mjs. Do not edit.

import type { OperatorInput } from './operands.js';
import type { Tensor } from './tensor.js';
import { copyOf, readArguments as read, type TypedCall } from './typed.js';
import type { Attributes, DataType, DimsLike, IntegerArray, NumberOf, OneType, OperatorOptions, TensorLike } from './types.js';

${[...aliases].map(([name, { operator, union }]) => `/** The types that versions of ${operator} take. */\nexport type ${name} = ${union};\n`).join('\n')}
/** A tensor whose type is not known before the program runs, but may be one that the operator takes. */
export type Perhaps<T extends DataType, Taken extends DataType> = [T & Taken] extends [never] ? never : TensorLike<T>;

/** A method for each operator: its inputs by position, then its attributes by ONNX's names, then options. */
export interface TypedOperators {
${methods.join('\n')}
}

/** A class with these methods. As source they take a third of the time to load that a table takes. @internal */
export const operatorMethods = (one: TypedCall, several: TypedCall): { readonly prototype: object } =>
  class {
${implementations.join('\n')}
  };
`;
writeFileSync(join(root, 'js/src/operators.generated.ts'), text);
