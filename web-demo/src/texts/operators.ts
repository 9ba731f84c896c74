// What is told about the operators and their documented examples; one file per operator.
import { constant } from './operators/constant.js';
import { constantOfShape } from './operators/constant-of-shape.js';
import { expand } from './operators/expand.js';
import { identity } from './operators/identity.js';
import type { OperatorText } from './operators/operator-text.js';
import { shape } from './operators/shape.js';
import { type Language, texts } from './texts.js';

export { exampleTexts } from './operators/examples.js';
export type { OperatorText };

const operators = {
  Constant: constant,
  ConstantOfShape: constantOfShape,
  Expand: expand,
  Identity: identity,
  Shape: shape,
};

function inLanguage(language: Language): { readonly [operator: string]: OperatorText } {
  return Object.fromEntries(Object.entries(operators).map(([name, text]) => [name, text[language]]));
}

/** By the operator's name. */
export const operatorTexts = texts({ en: inLanguage('en'), zh: inLanguage('zh') });
