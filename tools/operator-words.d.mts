import type { OperatorGroup, OperatorWords } from '../web-demo/src/texts/operator-text.js';

export const operatorWords: { readonly [operator: string]: OperatorWords };
export const operatorGroups: readonly OperatorGroup[];
export function wordsOf(operator: string): OperatorWords;
