// The operator's rows, for a call on the command line.
import type { DataType, Operator, OperatorVersion, ParameterRow, Runtime } from 'broadloom';
import { quote } from '../../shared/visible.js';
import { Failure, UsageError } from './errors.js';

/** The operator that is called `name`. */
export function operatorOf(ops: Runtime, name: string): Operator {
  const operator = ops.operators().find((one) => one.name === name);
  if (operator) return operator;
  try {
    ops.run(name);
  } catch (error) {
    const { message } = error as Error;
    const text = message.replace('ops.operators() lists', 'broadloom operators lists');
    throw new Failure(text, 'UNKNOWN_OPERATOR', { operator: name });
  }
  throw new Failure(`no operator ${quote(name)}`, 'UNKNOWN_OPERATOR', { operator: name });
}

/** The version that an opset chooses: the newest that is not above it. */
export function versionOf({ name, versions }: Operator, opset: number | undefined): OperatorVersion {
  const version = versions.filter(({ sinceVersion }) => sinceVersion <= (opset ?? Infinity)).at(-1);
  if (version) return version;
  const first = versions[0]?.sinceVersion;
  throw new Failure(
    `${name} is not in opset ${opset}; its first version is ${name}-${first}: write --opset ${first} or more`,
    'UNKNOWN_OPERATOR',
    {
      operator: name,
      opset,
    },
  );
}

/** `shape`, or `input:float32` for an input that can be of several types. */
export function example({ name, type }: ParameterRow, { typeConstraints }: OperatorVersion): string {
  const types = typeConstraints[type] ?? [type];
  return types.length === 1 ? name : `${name}:${types.includes('float32') ? 'float32' : types[0]}`;
}

/** The one type that an input can have, int64 where it takes integers as indices, or what must be written. */
export function typeOf(operator: string, row: ParameterRow, version: OperatorVersion, text: string): DataType {
  const types = version.typeConstraints[row.type] ?? [row.type as DataType];
  if (types.length === 1) return types[0] as DataType;
  if (types.every((type) => type === 'int32' || type === 'int64')) return 'int64';
  throw new UsageError(
    `input '${row.name}' of ${operator} can be of ${types.length} types: say which, such as --input '${example(row, version)}=${text}'`,
  );
}
