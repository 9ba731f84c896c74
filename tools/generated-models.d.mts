/** Models as exporters write them, by name. */
export const generatedModels: {
  /** An encoder like BERT, of so many layers. */
  bert(options?: { layers?: number }): Uint8Array;
};
