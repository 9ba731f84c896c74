/** Stored bits of the mantissa, and the exponent of the least normal number, of the types that need fewer digits than a double. */
export const floatPrecision: { readonly [type: string]: readonly [mantissa: number, leastExponent: number] } = {
  float32: [23, -126],
  complex64: [23, -126],
  float16: [10, -14],
  bfloat16: [7, -126],
};
