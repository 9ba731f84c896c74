import type { DataType } from '../tensor/types.js';

/** An input or output that a model declares. */
export interface ValueInfo {
  /** The name by which it is fed or returned. */
  readonly name: string;
  /** The element type. `null` only in a model that cannot run: for a value that is not a tensor, or declares no type. */
  readonly type: DataType | null;
  /**
   * The declared sizes: a number, a name, or `null` for one that is not known. Equal names should be equal sizes; a run takes others,
   * too, and adds a warning. A number above 2^53 - 1 is a string of its digits. The whole is `null` when the model declares no rank.
   */
  readonly dims: readonly (number | string | null)[] | null;
}
