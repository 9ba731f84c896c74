import { fields, numbers, texts } from '../../../shared/onnx.js';

/** The names of the inputs of a graph in a ModelProto that Broadloom wrote. */
export function modelInputs(model: Uint8Array): string[] {
  const infos = fields(model)(numbers.model.graph as number).flatMap((graph) =>
    fields(graph)(numbers.graph.input as number),
  );
  return texts(infos.flatMap((info) => fields(info)(numbers.value.name as number)));
}
