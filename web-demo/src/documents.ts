// The documents, which are served beside the playground: `npm run docs` builds them into build/reference.

/** The document of an operator that runs. */
export const documentOf = (operator: string): string => `../reference/documents/Operators.${operator}.html`;
