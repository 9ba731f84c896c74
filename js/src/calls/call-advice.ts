import { OnnxError } from '../basics/error.js';
import { show } from '../basics/show.js';
import { typeAdvice } from '../tensor/type-names.js';
import type { Memory } from './memory.js';
import { type OperatorVersion, readOperators } from './operators.js';

// The texts of errors of calls. A call that succeeds runs none of it.

/** The row of an operator's version that an opset chooses. */
function versionOf(memory: Memory, operator: string, opset: number): OperatorVersion | undefined {
  const row = readOperators(memory).find(({ name }) => name === operator);
  return row?.versions.filter(({ sinceVersion }) => sinceVersion <= opset).at(-1);
}

/** Says of an unknown option that it is an attribute. */
export function attributeInstead(memory: Memory, operator: string, opset: number, option: string): string {
  const isOne = versionOf(memory, operator, opset)?.attributes.some(({ name }) => name === option);
  return isOne ? `: it is an attribute, and options come after the attributes: { ${option}: ... }, {}` : '';
}

/** Says of a value in the place of attributes which attribute it may be, as code. */
export function attributesInstead(memory: Memory, operator: string, opset: number, given: unknown): string {
  const attributes = versionOf(memory, operator, opset)?.attributes ?? [];
  if (attributes.length === 0) return 'wanted none';
  const isList = Array.isArray(given);
  const types = isList ? /^(INT|FLOAT)S$/ : typeof given === 'string' ? /^STRING$/ : /^(INT|FLOAT)$/;
  const isSimple = isList || typeof given === 'string' || typeof given === 'number';
  const all = attributes.filter(({ type, isDataType, required }) =>
    isDataType ? typeof given === 'string' || (required && typeof given === 'number') : isSimple && types.test(type),
  );
  const fits = all.find(({ required }) => required) ?? all[0];
  const first = (list: readonly unknown[]) => Array.from({ length: Math.min(list.length, 8) }, (_, i) => show(list[i]));
  const value = typeof given === 'string' ? `'${given}'` : isList ? `[${first(given).join(', ')}]` : show(given);
  if (fits !== undefined && value.length < 80) return `wanted a plain object: { ${fits.name}: ${value} }`;
  return `wanted a plain object such as { ${attributes[0]?.name}: ... }`;
}

/** The error of a call: with the operator, with the names of inputs, and with what may be meant by a wrong value. */
export function inOperator(memory: Memory, error: unknown, operator: string, opset: number): unknown {
  if (!(error instanceof OnnxError)) return error;
  const { code, message, cause } = error;
  if (error.operator === undefined) {
    const named = message.replace(/^input (\d+)/, (text, index) => {
      const input = versionOf(memory, operator, opset)?.inputs[Number(index)];
      return input === undefined || input.option === 'Variadic' ? text : `${text} ('${input.name}')`;
    });
    const advice = /^input .* is Object, wanted a tensor$/.test(message)
      ? ': inputs are given by themselves, in order'
      : '';
    return new OnnxError(code, `${operator}: ${named}${advice}`, { operator, opset, cause });
  }
  const [, type] = / is '([^']*)', which is not an element type$/.exec(message) ?? [];
  const advice = type === undefined ? '' : typeAdvice(type);
  const isOption = message.includes("no attribute 'opset'");
  if (advice === '' && !isOption) return error;
  const text = isOption
    ? message.replace(/;.*/, ': it is an option, which comes after the attributes: {}, { opset: ... }')
    : message;
  return new OnnxError(code, text + advice, { operator: error.operator, opset: error.opset, cause });
}
