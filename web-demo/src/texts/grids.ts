// Words in the place of the indices of rows and columns, by operator and tensor.
import { type Language, texts } from './texts.js';

/** A list has a word for each index; one word stands before each of them. */
export interface GridNames {
  readonly rows?: string;
  readonly columns?: string | readonly string[];
}

type Names = { readonly [operator: string]: { readonly [tensor: string]: GridNames } };

const en: Names = {
  NonMaxSuppression: {
    selected_indices: { columns: ['batch', 'class', 'box'] },
    boxes: { rows: 'box' },
    scores: { rows: 'class', columns: 'box' },
  },
};

const zh: Names = {
  NonMaxSuppression: {
    selected_indices: { columns: ['批次', '类别', '框'] },
    boxes: { rows: '框' },
    scores: { rows: '类别', columns: '框' },
  },
};

export const gridTexts = texts({ en, zh });

/** The words for a tensor of a call of an operator; undefined for most. */
export function gridNames(language: Language, operator: string | undefined, tensor: string): GridNames | undefined {
  return operator === undefined ? undefined : gridTexts[language][operator]?.[tensor];
}
