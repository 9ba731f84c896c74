// The models of PP-OCR in Broadloom, and in onnxruntime-web.

/** Models that Broadloom runs. `files` has the bytes of `detect`, `turn` and `recognize`. */
export function broadloomModels(ops, files) {
  return mapValues(files, (bytes) => {
    const model = ops.loadModel(bytes);
    return (tensor) => {
      const outputs = model.run({ [model.inputs[0].name]: tensor });
      return outputs[model.outputs[0].name];
    };
  });
}

/** Models that onnxruntime-web runs, from the same files. `ort` is its module. Tensors go both ways. */
export async function onnxruntimeModels(ort, files) {
  const sessions = await Promise.all(Object.values(files).map((bytes) => ort.InferenceSession.create(bytes)));
  const names = Object.keys(files);
  return mapValues(files, (_, name) => {
    const session = sessions[names.indexOf(name)];
    return async ({ type, data, dims }) => {
      // Without a copy: `data` is a view of Broadloom's memory. onnxruntime-web reads it when the run begins.
      const outputs = await session.run({ [session.inputNames[0]]: new ort.Tensor(type, data, dims) });
      // Broadloom's functions take it as it is, and copy its elements.
      return outputs[session.outputNames[0]];
    };
  });
}

const mapValues = (object, make) =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, make(value, name)]));
