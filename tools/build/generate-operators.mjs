// Writes js/src/runtime/operators.generated.ts: a typed method for each operator that has words (data/operators), from the
// facts of ONNX's schemas, which tests compare with the rows of src/ops. Comments are made of the words.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { earlierOf, interfaceOf, linkOf } from '../operators/attributes.mjs';
import { aliases, describe } from '../operators/description.mjs';
import { signaturesOf } from '../operators/signatures.mjs';
import { operatorWords } from '../operators/words.mjs';
import { root } from '../run.mjs';

/** The operators whose signatures are written in js/src/runtime/constants.ts: the type of their results depends on their arguments. */
const writtenByHand = {
  Constant: 'Partial<ConstantValues<DataType>>',
  ConstantOfShape: 'ConstantOfShapeAttributes',
  Range: 'RangeAttributes',
};

const described = Object.entries(operatorWords).map(([operator, words]) => describe(operator, words));
const operators = described.filter(({ operator }) => !(operator in writtenByHand));

/** The methods. Most pass on what they are given as it comes: a list of all arguments takes 15 ns. Range's is written by hand, too. */
const methods = described.filter(({ operator }) => operator !== 'Range');
const implementations = methods.map(({ operator, method, inputs, variadic, attributes, several }) => {
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

const earlier = operators.map((it) => ({ operator: it.operator, ...earlierOf(it) }));
const all = [...earlier, ...Object.entries(writtenByHand).map(([operator, type]) => ({ operator, type }))].sort(
  (a, b) => (a.operator < b.operator ? -1 : 1),
);

const text = `// Generated from ONNX's schemas by tools/build/generate-operators.mjs. Do not edit.

import type { ConstantOfShapeAttributes, ConstantValues } from '../tensor/constant-types.js';
import type { OperatorInput } from '../calls/operands.js';
import type { RangeAttributes } from '../tensor/range-types.js';
import type { Tensor } from '../tensor/tensor.js';
import { copyOf, readArguments as read, type TypedCall } from './typed.js';
import type { Attributes, DataType, DimsLike, IntegerArray, NumberOf, OneType, OperatorOptions, Perhaps, TensorLike } from '../tensor/types.js';

${[...aliases].map(([name, { operator, union }]) => `/** The types that versions of ${operator} take. */\nexport type ${name} = ${union};\n`).join('\n')}
${operators.flatMap(interfaceOf).join('\n')}
${earlier.flatMap(({ lines }) => lines).join('\n')}
/** Attributes of an operator that has none. */
export type NoAttributes = { readonly [name: string]: undefined };

/** The attributes of each operator in all its versions, by ONNX's names: for {@link Runtime.run}. */
export interface OperatorAttributes {
${all.map(({ operator, type }) => `  /** Attributes of ${linkOf(operator)}. */\n  ${operator}: ${type};`).join('\n')}
}

/** A method for each operator: its inputs by position, then its attributes by ONNX's names, then options. */
export interface TypedOperators {
${operators.flatMap(signaturesOf).join('\n')}
}

/** A class with these methods. As source they take a third of the time to load that a table takes. @internal */
export const operatorMethods = (one: TypedCall, several: TypedCall): { readonly prototype: object } =>
  class {
${implementations.join('\n')}
  };
`;
writeFileSync(join(root, 'js/src/runtime/operators.generated.ts'), text);
