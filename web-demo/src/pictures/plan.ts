// The contract between the frame of a picture (element.ts) and the drawings of the families.
import type { TemplateResult } from 'lit-html';
import type { CallReport, TensorReport } from '../runtime/protocol.js';
import type { Language } from '../texts/texts.js';
import type { Compute } from './compute.js';
import type { CallAttributes } from './values.js';

/** The material of a drawing: a call, its attributes, and a way to make more calls. */
export interface Subject {
  readonly call: CallReport;
  readonly attributes: CallAttributes;
  readonly language: Language;
  readonly compute: Compute;
}

/** An element of an input or an output of the call. */
export interface Place {
  readonly report: TensorReport;
  readonly position: number;
}

/** Something that a person chooses beside the picture, such as a channel. */
export interface Choice {
  readonly name: string;
  readonly label: string;
  readonly count: number;
}

/** One moment of a picture. */
export interface Moment {
  readonly stop: number;
  /** The index that was chosen of a `Choice`. */
  readonly chosen: (name: string) => number;
  /** How far elements have travelled, 0 to 1; 1 but while a picture with `travels` plays. */
  readonly progress: number;
}

/** A picture of one call: stops that keys and the button walk through, and the drawing of each. */
export interface Plan {
  readonly stops: number;
  /** Stops of a row, which the keys up and down step over. */
  readonly row: number;
  readonly choices?: readonly Choice[];
  /** Whether `play` moves elements instead of walking through the stops. */
  readonly travels?: boolean;
  /** The element that a stop stands for. */
  readonly placeOf: (stop: number) => Place | undefined;
  /** The stop that shows an element of the call; undefined where none does. */
  readonly stopOf: (place: Place) => number | undefined;
  readonly draw: (moment: Moment) => TemplateResult;
  /** More below the words. */
  readonly more?: (moment: Moment) => unknown;
  /** The stop in words: below the picture, and for screen readers. */
  readonly describe: (moment: Moment) => string;
}

/** Makes the plan of a call; undefined where there is nothing that can be drawn. */
export type Drawing = (subject: Subject) => Plan | undefined | Promise<Plan | undefined>;

/** Stops that are the elements of one tensor, in row-major order. */
export function elementStops(report: TensorReport): Pick<Plan, 'stops' | 'row' | 'placeOf' | 'stopOf'> {
  return {
    stops: report.size,
    row: report.dims.at(-1) ?? 1,
    placeOf: (position) => ({ report, position }),
    stopOf: (place) => (place.report.key === report.key ? place.position : undefined),
  };
}
