import type { DataType } from 'broadloom';
import * as proto from '../../../shared/onnx.js';
import { type Data, typeRow } from './types.js';

/** A TensorProto with its elements in the field of the type. */
export function typedTensor(type: DataType, dims: readonly number[], data: Data, packed = true): proto.Bytes {
  const { field } = typeRow(type);
  const write = {
    string_data: proto.strings,
    float_data: proto.floats,
    double_data: proto.doubles,
    int32_data: proto.integers,
    int64_data: proto.integers,
    uint64_data: proto.integers,
  }[field] as (number: number, values: readonly unknown[], packed: boolean) => proto.Bytes;
  return proto.concat(
    proto.tensorHead(type, dims),
    write(proto.numbers.tensor[field], Array.from<unknown>(data), packed),
  );
}
