// What `--input` and `--attr` give: NAME=VALUE or NAME:TYPE=VALUE, where a value is a file or JSON.
import { type DataType, dataTypes, type Runtime, type Tensor, type ValueInfo } from 'broadloom';
import { quote, visible } from '../../shared/visible.js';
import { during, Failure, UsageError } from './errors.js';
import { LiteralError, readLiteral } from './literal.js';
import { type Media, type MediaOptions, readMedia, tensorOf } from './media.js';
import { formatOf, readTensorFile } from './tensors.js';

export interface Assignment {
  readonly name: string;
  /** The type that is written out. */
  readonly type: DataType | undefined;
  readonly text: string;
  /** The picture or sound in the file that `text` names. */
  readonly media?: Media;
}

/** Reads the pictures and sounds that assignments name. */
export function withMedia(assignments: readonly Assignment[]): Promise<Assignment[]> {
  const read = async (assignment: Assignment): Promise<Assignment> => {
    const media = await readMedia(assignment.text);
    return media ? { ...assignment, media } : assignment;
  };
  return Promise.all(assignments.map(read));
}

const isType = (text: string): text is DataType => dataTypes.some(({ name }) => name === text);

/**
 * Takes NAME:TYPE=VALUE apart.
 *
 * @param names - the names that are known: they may hold any characters, `:` and `=`, too
 */
export function readAssignment(ops: Runtime, option: string, argument: string, names: readonly string[]): Assignment {
  const known = names
    .filter((name) => argument.startsWith(name) && /^(?::[^:=]+)?=/.test(argument.slice(name.length)))
    .reduce<string | undefined>((longest, name) => (name.length > (longest?.length ?? -1) ? name : longest), undefined);
  const place = known === undefined ? argument.indexOf('=') : argument.indexOf('=', known.length);
  if (place < 1)
    throw new UsageError(
      `--${option} ${quote(argument)} has no name: write NAME=VALUE, such as --${option} ${option === 'attr' ? 'axis=1' : 'x=x.npy'}`,
    );
  const head = argument.slice(0, place);
  const text = argument.slice(place + 1);
  const [, before = '', type = ''] = /^(.+):([^:=]+)$/s.exec(head) ?? [];
  if (known !== undefined && head === known) return { name: head, type: undefined, text };
  if (isType(type)) return { name: before, type, text };
  if (known !== undefined || names.includes(before))
    throw new UsageError(`--${option} ${quote(argument)}: there is no type '${type}'${adviceOn(ops, type)}`);
  return { name: head, type: undefined, text };
}

/** The type that the runtime advises in the place of one that ONNX does not have. */
function adviceOn(ops: Runtime, type: string): string {
  try {
    ops.empty(type as DataType, []);
  } catch (error) {
    return /: did you mean .*/.exec((error as Error).message)?.[0] ?? '';
  }
  return '';
}

/**
 * The tensor that an assignment gives.
 *
 * @param wanted - the type of lists that have none; throws where none can be told
 * @param dims - those that pictures and sounds get, where the model declares some
 * @param options - how pictures and sounds are prepared
 */
export function readValue(
  ops: Runtime,
  what: string,
  { type, text, media }: Assignment,
  wanted: () => DataType,
  dims: ValueInfo['dims'] = null,
  options: MediaOptions = {},
): Tensor {
  const chosen = (): DataType => type ?? wanted();
  if (media !== undefined) return mediaTensor(ops, what, text, media, { type: chosen(), dims }, options);
  const isFile = formatOf(text) !== undefined;
  if (!isFile && !/^\s*(?:[[{"\d-]|true|false|null|NaN|Infinity)/.test(text))
    throw new UsageError(
      `${what}: ${quote(text)} is neither a file that ends in .npy, .pb, .json, .png, .jpg or .wav, nor JSON such as [1, 2] or "text"`,
    );
  const tensor = isFile ? readTensorFile(ops, text, chosen) : readInline(ops, what, text, chosen);
  if (type === undefined || tensor.type === type) return tensor;
  throw new Failure(`${what}: ${quote(text)} is ${tensor.type}, not ${type}`);
}

function mediaTensor(
  ops: Runtime,
  what: string,
  text: string,
  media: Media,
  wanted: { readonly type: DataType; readonly dims: ValueInfo['dims'] },
  options: MediaOptions,
): Tensor {
  try {
    return tensorOf(ops, media, wanted, what, options);
  } catch (error) {
    throw during(`${what}: ${visible(text)}`, error);
  }
}

/** Thrown for a list without a type, which takes the type of another value. */
class NoType extends Error {}

/** The type that a value says itself; undefined for a list without one. */
export function typeOfValue(ops: Runtime, what: string, assignment: Assignment): DataType | undefined {
  if (assignment.type !== undefined || assignment.media !== undefined) return assignment.type;
  try {
    const tensor = readValue(ops, what, assignment, () => {
      throw new NoType();
    });
    const { type } = tensor;
    tensor.dispose();
    return type;
  } catch (error) {
    if (error instanceof NoType) return undefined;
    throw error;
  }
}

function readInline(ops: Runtime, what: string, text: string, type: () => DataType): Tensor {
  try {
    return ops.fromMessage(readLiteral(text, type));
  } catch (error) {
    throw error instanceof LiteralError ? new UsageError(`${what}: ${error.message}`) : during(what, error);
  }
}
