// Values in the bits that onnxruntime-web takes for types that JavaScript has no arrays of.

/** The bits of the float16 nearest to a number, ties to even. */
export function float16Bits(value: number): number {
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const size = Math.abs(value);
  if (Number.isNaN(value)) return 0x7e00;
  if (size >= 65520) return sign | 0x7c00; // half a step above the largest
  const exponent = Math.max(-14, Math.floor(Math.log2(size)));
  const steps = size * 2 ** (10 - exponent);
  const rest = steps - Math.floor(steps);
  const whole = Math.floor(steps) + (rest > 0.5 || (rest === 0.5 && Math.floor(steps) % 2 === 1) ? 1 : 0);
  // The leading one of a normal number counts as one exponent more; so does a mantissa that was rounded up to the next.
  return sign | ((exponent + 14) * 1024 + whole);
}

/** Integers of four bits, two in a byte, the first one low. */
export function nibbles(values: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(Math.ceil(values.length / 2));
  for (const [i, value] of values.entries())
    bytes[i >> 1] = (bytes[i >> 1] as number) | ((value & 15) << ((i % 2) * 4));
  return bytes;
}
