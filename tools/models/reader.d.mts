/** What a model needs: operators, by what stands in the file, and kinds of values other than tensors. */
export function needsOf(file: Uint8Array): string[];
