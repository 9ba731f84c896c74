// The peers, in the order of the tables. NumPy is left out if it is not installed.
import { numpy } from './numpy.mjs';
import { numpyTs } from './numpy-ts.mjs';
import { onnxruntimeNode } from './onnxruntime-node.mjs';
import { onnxruntimeWeb } from './onnxruntime-web.mjs';
import { plainJs } from './plain-js.mjs';
import { tfjsWasm } from './tfjs-wasm.mjs';

export async function allPeers() {
  const peers = [onnxruntimeWeb, onnxruntimeNode, await tfjsWasm(), numpyTs, plainJs, await numpy()];
  return peers.filter((peer) => peer !== undefined);
}
