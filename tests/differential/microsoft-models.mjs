// Models of one node of operators that only models run, and what onnxruntime-node makes of them.
import ort from 'onnxruntime-node';
import { GraphBuilder } from '../../tools/models/graph-builder.mjs';

/**
 * A model of one node, the feeds of its inputs except those numbered in `constants`, the names of its outputs, and the model for
 * the oracle. That is the same model; or, if the oracle does not run the node, a model with the nodes of ONNX that `others` adds,
 * from the names of inputs to the first output.
 */
export function modelOf(name, call) {
  const model = written(name, call);
  return { ...model, wanted: call.others === undefined ? model.file : written(name, call, call.others).file };
}

function written(
  name,
  { inputs, attributes = {}, outputs = 1, domain = 'com.microsoft', constants = [], opset = 17 },
  others,
) {
  const g = new GraphBuilder(opset);
  const isFed = (tensor, i) => tensor !== null && !constants.includes(i);
  const names = inputs.map((tensor, i) => {
    if (tensor === null) return '';
    const { type, dims, data } = tensor;
    return isFed(tensor, i) ? g.input(`x${i}`, type, dims) : g.weight('w', dims, data, type);
  });
  const list = Array.isArray(outputs) ? outputs : Array.from({ length: outputs }, () => 'float32');
  const results = list.map((type, i) => (type === null ? '' : `y${i}`));
  if (others === undefined) g.op(name, names, attributes, results, domain);
  else g.op('Identity', [others(g, names)], {}, results);
  for (const [i, type] of list.entries()) if (type !== null) g.output(`y${i}`, type);
  return {
    file: g.model('one', { domains: ['com.microsoft'] }),
    feeds: Object.fromEntries(inputs.flatMap((tensor, i) => (isFed(tensor, i) ? [[`x${i}`, tensor]] : []))),
    results: results.filter((result) => result !== ''),
  };
}

/** The results that onnxruntime-node has. */
export async function oracle(file, feeds, results) {
  const session = await ort.InferenceSession.create(file, { logSeverityLevel: 4, intraOpNumThreads: 1 });
  try {
    const given = Object.entries(feeds).map(([key, { type, data, dims }]) => [key, new ort.Tensor(type, data, dims)]);
    const found = await session.run(Object.fromEntries(given));
    return results.map((result) => found[result]);
  } finally {
    await session.release();
  }
}
