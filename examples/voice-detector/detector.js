// The worklet: hears sound of 16 kHz, and gives the probability of speech as the signal of its output.
import { loadSync } from 'broadloom/worklet';

/** The samples that the model hears at a time: 32 ms. */
const windowLength = 512;

class VoiceDetector extends AudioWorkletProcessor {
  constructor({ processorOptions }) {
    super();
    const ops = loadSync(processorOptions.wasm);
    const model = ops.loadModel(processorOptions.model);
    const feeds = {
      input: ops.tensor('float32', new Float32Array(windowLength), [1, windowLength]),
      state: ops.tensor('float32', new Float32Array(2 * 128), [2, 1, 128]),
      sr: ops.tensor('int64', BigInt(sampleRate)),
    };
    // From here on, runs make no object: nothing is collected while sound is processed.
    this.detector = model.bind(feeds, { states: { state: 'stateN' } });
    this.heard = 0;
    this.probability = 0;
    this.port.onmessage = () => this.detector.reset();
  }

  process(inputs, outputs) {
    const samples = inputs[0][0];
    if (samples !== undefined) {
      this.detector.inputs.input.data.set(samples, this.heard);
      this.heard += samples.length;
      if (this.heard === windowLength) {
        this.detector.run();
        this.probability = this.detector.outputs.output.data[0];
        this.heard = 0;
      }
    }
    outputs[0][0].fill(this.probability);
    return true;
  }
}

registerProcessor('voice-detector', VoiceDetector);
