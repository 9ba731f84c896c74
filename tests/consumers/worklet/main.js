import { load } from 'broadloom';

const response = await fetch('dist/broadloom.wasm');
const wasm = new Uint8Array(await response.arrayBuffer());

/** Resolves to what the check of the package gives in a worklet. */
async function check() {
  const context = new OfflineAudioContext(1, 128, 16000);
  await context.audioWorklet.addModule('dist/worklet.js');
  const node = new AudioWorkletNode(context, 'check', { processorOptions: { wasm } });
  return new Promise((resolve, reject) => {
    node.onprocessorerror = () => reject(new Error('the processor failed'));
    node.port.onmessage = ({ data }) => (data.error ? reject(new Error(data.error)) : resolve(data.result));
  });
}

/** Throws unless a model that runs in `process` negates a minute of sound. */
async function negate() {
  const ops = await load();
  const model = ops.nodeModel('Neg', [ops.tensor('float32', new Float32Array(128))])['model.onnx'];
  const context = new OfflineAudioContext(1, 60 * 16000, 16000);
  await context.audioWorklet.addModule('dist/negate.js');
  const node = new AudioWorkletNode(context, 'negate', { processorOptions: { wasm, model } });
  const source = new ConstantSourceNode(context, { offset: 0.25 });
  source.connect(node).connect(context.destination);
  source.start();
  const sound = (await context.startRendering()).getChannelData(0);
  if (!sound.every((sample) => sample === -0.25)) throw new Error('a sample is wrong');
}

globalThis.result = negate().then(check);
