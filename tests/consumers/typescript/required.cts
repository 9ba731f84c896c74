import broadloom = require('broadloom');
import inline = require('broadloom/inline');
import onnxruntime = require('broadloom/onnxruntime');
import ort = require('broadloom/ort');

export async function zeros(dims: number[]): Promise<Float32Array> {
  const ops = await broadloom.load();
  using tensor = ops.constantOfShape(dims);
  return tensor.toArray();
}

export function sessionOf(model: Uint8Array, theirs: ort.OrtLike): Promise<onnxruntime.InferenceSession> {
  ort.register(theirs);
  return onnxruntime.InferenceSession.create(model);
}

export const same: typeof broadloom.load = inline.load;
