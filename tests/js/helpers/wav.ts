/** WAV files, byte by byte. */

export const u16 = (value: number): number[] => [value & 255, value >> 8];
export const u32 = (value: number): number[] => [...u16(value & 0xffff), ...u16(value >>> 16)];
export const text = (letters: string): number[] => [...letters].map((letter) => letter.charCodeAt(0));

/** A chunk with the byte of padding that follows an odd size. */
export const chunk = (name: string, bytes: readonly number[]): number[] => [
  ...text(name),
  ...u32(bytes.length),
  ...bytes,
  ...(bytes.length % 2 === 1 ? [0] : []),
];

export const data = (bytes: readonly number[]): number[] => chunk('data', bytes);

/** Floats of 4 or 8 bytes. */
export const floats = (width: 4 | 8, values: readonly number[]): number[] => [
  ...new Uint8Array((width === 4 ? Float32Array.from(values) : Float64Array.from(values)).buffer),
];

export interface WavFormat {
  readonly code?: number;
  readonly bits: number;
  /** Bytes of a sample. */
  readonly width?: number;
  readonly channels?: number;
  readonly sampleRate?: number;
  readonly isExtensible?: boolean;
  /** Bits that count. */
  readonly valid?: number;
}

/** The chunk `fmt `. */
export function format({ code = 1, bits, channels = 1, sampleRate = 8000, ...rest }: WavFormat): number[] {
  const { width = Math.ceil(bits / 8), isExtensible = false, valid = bits } = rest;
  const frame = channels * width;
  const guid = [...u16(code), 0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xaa, 0, 0x38, 0x9b, 0x71];
  return chunk('fmt ', [
    ...u16(isExtensible ? 0xfffe : code),
    ...u16(channels),
    ...u32(sampleRate),
    ...u32(sampleRate * frame),
    ...u16(frame),
    ...u16(bits),
    ...(isExtensible ? [...u16(22), ...u16(valid), ...u32(0), ...guid] : []),
  ]);
}

export function riff(...chunks: readonly (readonly number[])[]): Uint8Array {
  const body = chunks.flat();
  return Uint8Array.from([...text('RIFF'), ...u32(body.length + 4), ...text('WAVE'), ...body]);
}

export const wav = (of: WavFormat, bytes: readonly number[]): Uint8Array => riff(format(of), data(bytes));
