// Why a call is refused, as something to draw: one form for each kind of reason, not for each operator.
import type { CallDraft } from '../drafts.js';
import type { WhyTexts } from '../texts/why.js';

/** A call that runs, near the one that was refused. */
export interface Mend {
  readonly name: (t: WhyTexts) => string;
  readonly call: CallDraft;
}

interface Told {
  readonly says: (t: WhyTexts) => string;
  readonly mends: readonly Mend[];
}

/** Sizes in a row. Those at `lit` are the reason. */
export interface SizesRow {
  readonly label: string | ((t: WhyTexts) => string);
  readonly dims: readonly number[];
  /** Positions in `dims`. */
  readonly lit: readonly number[];
}

/** Sizes that do not fit each other. */
export interface AxesReason extends Told {
  readonly kind: 'axes';
  /** The end at which the axes of the rows are aligned. */
  readonly aligned: 'start' | 'end';
  readonly rows: readonly SizesRow[];
}

/** Elements that sizes do not make: -1 is the size that is left to be found. */
export interface FactorsReason extends Told {
  readonly kind: 'factors';
  readonly count: number;
  readonly factors: readonly number[];
}

/** A number outside of those that are allowed. */
export interface RulerReason extends Told {
  readonly kind: 'ruler';
  readonly from: number;
  readonly to: number;
  readonly at: number;
  /** Whether there is no greatest number: `to` is where the drawing ends. */
  readonly isOpen?: boolean;
}

/** An element type that is not one of those that are allowed. */
export interface TypesReason extends Told {
  readonly kind: 'types';
  readonly given: string;
  readonly allowed: readonly string[];
}

export type Reason = AxesReason | FactorsReason | RulerReason | TypesReason;
