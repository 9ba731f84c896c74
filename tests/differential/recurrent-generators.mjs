// Random calls of RNN, GRU and LSTM.
import { floats, integersOf, tensorOf } from './values.mjs';

// The activation functions, and which numbers they take.
const functions = {
  Affine: 2,
  Elu: 1,
  HardSigmoid: 2,
  LeakyRelu: 1,
  Relu: 0,
  ScaledTanh: 2,
  Sigmoid: 0,
  Softplus: 0,
  Softsign: 0,
  Tanh: 0,
};

/** The oracle knows names of RNN with these capital letters alone. */
function activationsOf(random, count, isOfRnn) {
  const names = Array.from({ length: count }, () => random.pick(Object.keys(functions)));
  const numbers = (least) =>
    names.filter((name) => functions[name] >= least).map(() => random.pick([0.125, 0.25, 0.5, 0.3]));
  const [alphas, betas] = [numbers(1), numbers(2)];
  return {
    activations: isOfRnn ? names : names.map((name) => random.pick([name, name.toLowerCase(), name.toUpperCase()])),
    ...(alphas.length > 0 && { activation_alpha: alphas }),
    ...(betas.length > 0 && { activation_beta: betas }),
  };
}

/** A generator for a layer with these numbers of gates, activation functions and states. */
const recurrent = (gates, count, states) => (draw) => {
  const { random } = draw;
  const type = draw.type(floats);
  const [steps, batch, input, hidden] = [
    random.integer(1, 5),
    random.pick([1, 1, 2, 3, 5]),
    random.integer(1, 6),
    random.integer(1, 9),
  ];
  const direction = random.pick(['forward', 'reverse', 'bidirectional']);
  const directions = direction === 'bidirectional' ? 2 : 1;
  const isBatchFirst = draw.has('layout') && random.chance(0.2);
  const attributes = {
    ...{ direction, hidden_size: hidden },
    ...(random.chance(0.4) && activationsOf(random, count * directions, gates === 1)),
    ...(random.chance(0.3) && { clip: random.pick([0.25, 0.5, 2]) }),
    ...(isBatchFirst && { layout: 1 }),
    ...(draw.has('linear_before_reset') && random.chance(0.5) && { linear_before_reset: 1 }),
    ...(draw.has('input_forget') && random.chance(0.3) && { input_forget: 1 }),
  };
  const values = (dims) =>
    tensorOf(random, type, dims, () =>
      type === 'float16' ? random.pick([0x3400, 0xb400, 0x3800, 0xb000, 0]) : random.integer(-4, 4) / 8,
    );
  const perhaps = (probability, make) => (random.chance(probability) ? make() : null);
  const state = isBatchFirst ? [batch, directions, hidden] : [directions, batch, hidden];
  const inputs = [
    values(isBatchFirst ? [batch, steps, input] : [steps, batch, input]),
    values([directions, gates * hidden, input]),
    values([directions, gates * hidden, hidden]),
    perhaps(0.6, () => values([directions, 2 * gates * hidden])),
    perhaps(0.4, () => integersOf('int32', [batch], () => random.integer(1, steps))),
    ...Array.from({ length: states }, () => perhaps(0.5, () => values(state))),
  ];
  if (gates === 4) inputs.push(perhaps(0.4, () => values([directions, 3 * hidden])));
  while (inputs.at(-1) === null) inputs.pop();
  return {
    inputs,
    attributes: { ...attributes, ...(draw.has('output_sequence') && { output_sequence: 1 }) },
    newer: { inputs, attributes },
  };
};

export const recurrentGenerators = {
  RNN: recurrent(1, 1, 1),
  GRU: recurrent(3, 2, 1),
  LSTM: recurrent(4, 3, 2),
};
