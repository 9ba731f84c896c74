// Drafts to values that the package takes. Runs in the worker: what is dropped or pasted may be large.
import type { AttributeRow, Attributes, AttributeValue, DataType, Runtime, Tensor } from 'broadloom';
import { OnnxError } from 'broadloom';
import { numbersText } from '../attributes.js';
import type { AttributeDraft, CallDraft, Place, Problem, TensorDraft, Values } from '../drafts.js';
import { operatorOf, typeRow, versionOf } from '../facts.js';
import { parameterName } from '../inputs.js';
import { generate } from '../values/generate.js';
import { ListError, parseIntegers, parseStrings, parseValues } from '../values/parse.js';
import { typedArrayOf } from '../values/typed-array.js';
import type { Refusal } from './protocol.js';
import { storedElements } from './store.js';

/** Carries a problem to where it is reported. */
export class Refused extends Error {
  readonly problem: Problem;
  constructor(problem: Problem) {
    super(problem.message);
    this.problem = problem;
  }
}

/** The answer to a question whose work threw `error`. A refusal is an answer; all else is a mistake of ours. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refused) return { ok: false, problem: error.problem };
  if (!(error instanceof OnnxError)) throw error;
  return { ok: false, problem: { place: 'call', message: error.message, code: error.code } };
}

/** Runs `work`; what the library or a parser refuses becomes a problem at `place`, or at the part of it that `part` picks. */
export function at<R>(place: Place | ((error: OnnxError) => Place), work: () => R): R {
  try {
    return work();
  } catch (error) {
    if (error instanceof OnnxError) {
      const where = typeof place === 'string' ? place : place(error);
      throw new Refused({ place: where, message: error.message, code: error.code });
    }
    if (error instanceof ListError) {
      const { message, finding } = error;
      throw new Refused({ place: typeof place === 'string' ? place : 'call', message, finding });
    }
    throw error;
  }
}

/** Makes the tensor of a draft. Errors of its elements speak of it by `name`, where the library says "data". */
export function buildTensor(ops: Runtime, draft: TensorDraft, place: Place, name: string): Tensor {
  // Links bring any text as a type, and any as strings.
  at(`${place}:type`, () => ops.empty(draft.type, [0]).dispose());
  const dims = at(`${place}:dims`, () => parseIntegers(draft.dims).map(Number));
  at(`${place}:dims`, () => checkDims(ops, dims));
  try {
    return at(`${place}:values`, () =>
      ops.tensor(draft.type, elementsOf(draft.type, dims, draft.values) as never, dims),
    );
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    throw new Refused({ ...error.problem, message: error.problem.message.replace(/^data\b/, () => name) });
  }
}

/** Lets the library look at the dims alone first, so that a mistake in them stands there. */
function checkDims(ops: Runtime, dims: readonly number[]): void {
  try {
    ops.tensor('uint8', [], dims).dispose();
  } catch (error) {
    if ((error as OnnxError).message.startsWith('dims')) throw error; // else it is about the elements that are not there
  }
}

function elementsOf(type: DataType, dims: readonly number[], values: Values): unknown {
  switch (values.kind) {
    case 'text':
      return parseValues(values.text, typeRow(type));
    case 'file':
      return arrayOver(type, values.bytes);
    case 'stored':
      return storedElements(values, type, (content) =>
        typeof content === 'string' ? parseValues(content, typeRow(type)) : arrayOver(type, content),
      );
    case 'picture':
    case 'sound':
      throw new ListError('noFile'); // the page makes elements of one that has a file
    default:
      return generate(
        values,
        typeRow(type),
        dims.reduce((product, dim) => product * dim, 1),
      );
  }
}

/** The typed array of a type over bytes in ONNX's layout. */
function arrayOver(type: DataType, bytes: Uint8Array): unknown {
  const row = typeRow(type);
  if (row.kind === 'string') return parseStrings(new TextDecoder().decode(bytes)); // strings are kept as JSON
  const TypedArray = typedArrayOf(row);
  const itemBytes = TypedArray.BYTES_PER_ELEMENT;
  const { buffer, byteOffset, byteLength } = bytes.byteOffset % itemBytes === 0 ? bytes : bytes.slice();
  return new TypedArray(buffer as ArrayBuffer, byteOffset, Math.floor(byteLength / itemBytes));
}

function buildAttribute(
  ops: Runtime,
  draft: AttributeDraft,
  row: AttributeRow | undefined,
  name: string,
): AttributeValue | undefined {
  const place = `attribute:${name}`;
  if (draft.kind === 'tensor') return buildTensor(ops, draft.tensor, place, name);
  if (draft.kind === 'sparse') {
    const dims = at(`${place}:dims`, () => parseIntegers(draft.dims).map(Number));
    const values = buildTensor(ops, draft.values, `${place}:values`, 'values');
    const indices = buildTensor(ops, draft.indices, `${place}:indices`, 'indices');
    return { values, indices, dims } as AttributeValue;
  }
  return at(place, () => {
    switch (row?.type) {
      case 'STRING':
        return draft.text;
      case 'STRINGS':
        return parseStrings(draft.text);
      case 'FLOAT':
        return parseValues(draft.text, typeRow('float32'), 1)[0] as number;
      case 'FLOATS':
        return parseValues(draft.text, typeRow('float32')) as number[]; // a Float32Array would hold infinities for what is too large
      case 'INT':
        return parseIntegers(numbersText(row, draft.text), 1)[0] as bigint;
      default:
        return new BigInt64Array(parseIntegers(draft.text));
    }
  });
}

export interface BuiltCall {
  readonly inputs: (Tensor | null)[];
  readonly attributes: Attributes;
}

/** Makes the inputs and attributes of a call. Call it in a scope. */
export function buildCall(ops: Runtime, draft: CallDraft): BuiltCall {
  const operator = operatorOf(draft.operator);
  const version = operator && versionOf(operator, draft.opset);
  const rows = version?.inputs ?? [];
  const inputs = draft.inputs.map((input, i) => input && buildTensor(ops, input, `input:${i}`, parameterName(rows, i)));
  const attributes = Object.fromEntries(
    Object.entries(draft.attributes).map(([name, attribute]) => [
      name,
      // The row says which type a text means.
      buildAttribute(
        ops,
        attribute,
        version?.attributes.find((row) => row.name === name),
        name,
      ),
    ]),
  );
  return { inputs, attributes };
}
