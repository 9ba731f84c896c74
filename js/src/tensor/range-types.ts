/** Attributes of [Range](https://github.com/onnx/onnx/blob/main/docs/Operators.md#Range). */
export interface RangeAttributes {
  /** The type in which types of 16 bits are computed: 1 for float32, 11 for float64. Default: 1. From opset 27 on. */
  readonly stash_type?: number | bigint | undefined;
}
