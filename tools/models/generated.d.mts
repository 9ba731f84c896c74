/** Models as exporters write them, by name. */
export const generatedModels: {
  /** An encoder like BERT, with `layers` layers. */
  bert(options?: { layers?: number }): Uint8Array;
};
