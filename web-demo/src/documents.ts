// The documents, which are served beside the playground: `npm run docs` builds them into build/reference.

/** The first page of the documents. */
export const documents = '../reference/index.html';

/** The document of an operator that runs. */
export const documentOf = (operator: string): string => `../reference/documents/Operators.${operator}.html`;

/** A guide, by the heading of its file. */
export const guideAddress = (heading: string): string =>
  `../reference/documents/${heading.replaceAll(/[^\w().,+-]/g, '_')}.html`;
