// The errors of .npy files, as plain data: the playground tells it in other languages, too.

/** The texts, by their subjects; the values come from the file. */
export const npyTexts = {
  noNpy: () => 'the file is not a .npy file: it does not begin with \\x93NUMPY',
  npyVersion: (version: string) => `the file has version ${version} of .npy, expected 1.0 to 3.0`,
  npyHeaderCut: (bytes: number) => `the file ends in its header, after ${bytes} bytes`,
  npyHeader: (text: string) => `the header of the file cannot be read: ${text}`,
  npyDtype: (descr: string) => `the file's elements have dtype ${descr}, which ONNX does not have`,
  npyCut: (bytes: number, dims: string, descr: string, wanted: number) =>
    `the file ends after ${bytes} bytes of elements; ${dims} of ${descr} takes ${wanted}`,
  noCodePoint: (code: number) => `${code} in the file is not a Unicode code point`,
  noUtf8: (start: number) => `the string at byte ${start} of the file's elements is not UTF-8`,
};

export type NpyTexts = typeof npyTexts;

export class NpyError<W extends keyof NpyTexts = keyof NpyTexts> extends Error {
  override readonly name = 'NpyError';
  readonly what: W;
  readonly values: Parameters<NpyTexts[W]>;
  constructor(what: W, ...values: Parameters<NpyTexts[W]>) {
    super((npyTexts[what] as (...values: readonly (string | number)[]) => string)(...values));
    this.what = what;
    this.values = values;
  }
}
