import { loadSync } from 'broadloom/worklet';

class Negate extends AudioWorkletProcessor {
  constructor({ processorOptions }) {
    super();
    const ops = loadSync(processorOptions.wasm);
    const samples = ops.tensor('float32', new Float32Array(128));
    this.model = ops.loadModel(processorOptions.model).bind({ X: samples });
  }

  process(inputs, outputs) {
    const samples = inputs[0][0];
    if (samples !== undefined) this.model.inputs.X.data.set(samples);
    this.model.run(); // makes no object: nothing is collected while sound is processed
    outputs[0][0].set(this.model.outputs.Y.data);
    return true;
  }
}

registerProcessor('negate', Negate);
