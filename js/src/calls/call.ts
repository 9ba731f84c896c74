import { didYouMean } from '../../../shared/names.js';
import { invalidArgument, OnnxError } from '../basics/error.js';
import { checkedOptions } from '../basics/names.js';
import { show } from '../basics/show.js';
import { freeAll, type Literal, makeAll } from '../tensor/elements.js';
import type { Attributes, OperatorOptions } from '../tensor/types.js';
import { type Argument, readAttributes, writeAttribute } from './attributes.js';
import { ResultForm } from './bindings.generated.js';
import { attributeInstead, inOperator } from './call-advice.js';
import type { Context } from './context.js';
import { type Operand, type OperatorInput, readOperand, writeOperand } from './operands.js';
import { readOperators } from './operators.js';

function operatorNumber(context: Context, name: string): number {
  const known = context.operatorNumbers.get(name);
  if (known !== undefined) return known;
  if (typeof name !== 'string')
    throw invalidArgument(`the operator is ${show(name)}, wanted its name, such as 'Expand'`);
  const { memory } = context;
  memory.begin();
  memory.string(name);
  const number = memory.glue.findOperator();
  if (number < 0) throw unknownOperator(context, name, number);
  context.operatorNumbers.set(name, number);
  return number;
}

function unknownOperator({ memory }: Context, name: string, returned: number): OnnxError {
  const { code, message, operator } = memory.errorAt(returned);
  const known = readOperators(memory).map((row) => row.name);
  const isNobodys = message.endsWith("'"); // with nothing after its name
  const advice = isNobodys ? didYouMean(name, known) || '; ops.operators() lists those that there are' : '';
  return new OnnxError(code, message + advice, { operator });
}

/** @internal */
export function checkedOpset(opset: unknown): number {
  if (!Number.isSafeInteger(opset) || (opset as number) < 1)
    throw invalidArgument(`opset is ${show(opset)}, wanted a whole number from 1`);
  return opset as number;
}

/** The opset that a call names. */
function namedOpset(
  context: Context,
  operator: string,
  options: OperatorOptions | null | undefined,
): number | undefined {
  if (options == null) return undefined;
  const advice = (option: string) => attributeInstead(context.memory, operator, context.opset, option);
  const { opset } = checkedOptions('', options, ['opset'], advice);
  return opset === undefined ? undefined : checkedOpset(opset);
}

/**
 * Runs one operator. `context` takes its results next. All values that the user gave are read before the first argument is
 * written, and handles are asked for after that: what the user's own getters do meanwhile cannot mix with this call.
 * `inputs` is used up.
 *
 * @internal
 */
export function callOperator(
  context: Context,
  name: string,
  inputs: OperatorInput[],
  attributes: Attributes | null | undefined,
  options: OperatorOptions | null | undefined,
  wanted: number = ResultForm.outputs,
): void {
  const operator = operatorNumber(context, name);
  let opset = context.opset;
  const { memory } = context;
  const literals: Literal[] = [];
  try {
    const named = namedOpset(context, name, options);
    if (named !== undefined) opset = named;
    else if (wanted === ResultForm.files) wanted = ResultForm.filesOfOldestOpset;
    const operands = inputs as Operand[];
    for (let i = 0; i < inputs.length; i++) operands[i] = readOperand(context, inputs[i], i, literals);
    const read = readAttributes(context, name, opset, attributes, literals);
    if (literals.length > 0) makeAll(context, literals);
    memory.begin();
    memory.number(operands.length);
    for (let i = 0; i < operands.length; i++) writeOperand(memory, operands[i]);
    memory.number(read.length);
    for (let i = 0; i < read.length; i++) writeAttribute(memory, read[i] as Argument);
    memory.check(memory.glue.callOperator(operator, opset, wanted));
  } catch (error) {
    throw inOperator(memory, error, name, opset);
  } finally {
    if (literals.length > 0) freeAll(context, literals);
  }
}
