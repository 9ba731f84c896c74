// Makes nodes of the worklet, in any audio context of 16 kHz.

/** The rate of the model. A context of this rate resamples what it hears. */
export const sampleRate = 16000;

/** The files that the worklet starts from. A worklet cannot fetch files: the node's options carry them to it. */
async function readFiles() {
  const read = async (name) => new Uint8Array(await (await fetch(name)).arrayBuffer());
  const [wasm, model] = await Promise.all(['broadloom.wasm', 'silero_vad_v5.onnx'].map(read));
  return { wasm, model };
}

/** A node whose output is the probability of speech in its input. A message to its port makes it forget what it heard. */
export async function newDetector(context) {
  const [processorOptions] = await Promise.all([readFiles(), context.audioWorklet.addModule('detector.js')]);
  return new AudioWorkletNode(context, 'voice-detector', {
    numberOfInputs: 1,
    numberOfOutputs: 1,
    outputChannelCount: [1],
    channelCount: 1,
    channelCountMode: 'explicit',
    processorOptions,
  });
}
