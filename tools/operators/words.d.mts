import type { ForeignWords, OperatorGroup, OperatorWords } from '../../web-demo/src/texts/operator-text.js';

export const operatorWords: { readonly [operator: string]: OperatorWords };
export const foreignWords: { readonly [operator: string]: ForeignWords };
export const operatorGroups: readonly OperatorGroup[];
export function wordsOf(operator: string): OperatorWords;
