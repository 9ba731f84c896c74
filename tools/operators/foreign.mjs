// How far the operators that do not run as a call are known: from the list of the rules for dims, and from the words.
import { controlFlow } from '../models/examples.mjs';
import { tableFields } from '../tables.mjs';
import { foreignWords, operatorWords } from './words.mjs';

const ruledNames = (macro, running = []) =>
  tableFields('src/ops/foreign/operators.inc', macro, 1).filter((name) => !running.includes(name));

/** The operators of com.microsoft that models run. */
export const runningMicrosoft = tableFields('src/ops/microsoft/operators.inc', 'MICROSOFT', 1);

/** The operators that ONNX's domain had as experiments, and that models run. */
export const runningExperiments = tableFields('src/ops/experimental/operators.inc', 'EXPERIMENTAL', 1);

/** The operators of each domain for which there is a rule for dims. */
export const ruled = {
  '': ruledNames('FOREIGN', Object.keys(operatorWords)),
  'ai.onnx.ml': ruledNames('LEARNING'),
  'com.microsoft': ruledNames('MICROSOFT', runningMicrosoft),
};

/** ONNX's other operators, in the order of their names: `has` is 'models', 'shapes' or 'nothing'. */
export const foreignOperators = Object.entries(foreignWords).map(([name, { group }]) => ({
  name,
  group,
  has: controlFlow.includes(name) ? 'models' : ruled[''].includes(name) ? 'shapes' : 'nothing',
}));
