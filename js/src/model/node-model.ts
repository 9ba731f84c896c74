import { ResultForm } from '../calls/bindings.generated.js';
import { callOperator } from '../calls/call.js';
import type { Context } from '../calls/context.js';
import type { OperatorInput } from '../calls/operands.js';
import type { Attributes, OperatorOptions } from '../tensor/types.js';

/** The files of one call: their contents, by the paths that ONNX's own tests of operators give them. Made by {@link Runtime.nodeModel}. */
export interface NodeModelFiles {
  /** A ModelProto of one node. */
  readonly 'model.onnx': Uint8Array<ArrayBuffer>;
  /** A TensorProto each: `test_data_set_0/input_0.pb` ..., `test_data_set_0/output_0.pb` ... */
  readonly [path: string]: Uint8Array<ArrayBuffer>;
}

/** Runs one operator and takes the call as files. `inputs` is used up. @internal */
export function writeNodeModel(
  context: Context,
  name: string,
  inputs: OperatorInput[],
  attributes: Attributes | undefined,
  options: OperatorOptions | undefined,
): NodeModelFiles {
  const given = inputs.filter((input) => input != null).length;
  callOperator(context, name, inputs, attributes, options, ResultForm.files);
  const path = (i: number) => `test_data_set_0/${i < given ? `input_${i}` : `output_${i - given}`}.pb`;
  return context.runScope(() =>
    Object.fromEntries(context.takeTensors().map((file, i) => [i === 0 ? 'model.onnx' : path(i - 1), file.toArray()])),
  ) as unknown as NodeModelFiles;
}
