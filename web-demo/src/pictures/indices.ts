// The elements of indices that lead to an element of an output.
import type { TensorReport } from '../runtime/protocol.js';
import { indexOf } from '../views/mapping.js';
import type { Place, Subject } from './plan.js';
import type { Sources } from './sources.js';
import { axisOf, countTo, numbersOf, positionAt } from './values.js';

/** The whole row of indices that stands for the first axes of an index. */
function rowFor(report: TensorReport, index: readonly number[]): readonly Place[] {
  const length = report.dims.at(-1) ?? 1;
  const row = positionAt(index.slice(0, report.dims.length - 1), report.dims.slice(0, -1));
  return countTo(length).map((i) => ({ report, position: row * length + i }));
}

/** None for operators that take no tensor of indices. */
export function indicesOf({ call, attributes }: Subject, place: Place, source: Place | undefined): readonly Place[] {
  const report = call.inputs[1];
  if (!report) return [];
  const { operator, inputs } = call;
  const index = indexOf(place.position, place.report.dims);
  const isUpdate = source !== undefined && source.report.key === inputs[2]?.key;
  switch (operator) {
    case 'Gather': {
      const axis = axisOf(attributes.integer('axis', 0), inputs[0]?.dims.length ?? 0);
      return [{ report, position: positionAt(index.slice(axis, axis + report.dims.length), report.dims) }];
    }
    case 'GatherElements':
      return [{ report, position: place.position }];
    case 'GatherND':
      return rowFor(report, index);
    case 'Scatter':
    case 'ScatterElements':
      return isUpdate ? [{ report, position: source.position }] : [];
    case 'ScatterND':
      return isUpdate ? rowFor(report, indexOf(source.position, source.report.dims)) : [];
    case 'Compress': {
      if (source === undefined) return [];
      if (!attributes.has('axis')) return [{ report, position: source.position }];
      const axis = axisOf(attributes.integer('axis', 0), source.report.dims.length);
      return [{ report, position: indexOf(source.position, source.report.dims)[axis] as number }];
    }
    default:
      return [];
  }
}

/** The index of each line of OneHot goes to the place that it names. */
export function oneHotSources({ call, attributes }: Subject): Sources | undefined {
  const [report, y] = [call.inputs[0], call.outputs[0]];
  const depth = numbersOf(call.inputs[1])[0];
  if (!report || !y || depth === undefined) return undefined;
  const axis = axisOf(attributes.integer('axis', -1), y.dims.length);
  return [
    countTo(y.size).map((position): Place | undefined => {
      const index = indexOf(position, y.dims);
      const from = positionAt(index.toSpliced(axis, 1), report.dims);
      const wanted = numbersOf(report)[from] as number;
      return (wanted < 0 ? wanted + depth : wanted) === index[axis] ? { report, position: from } : undefined;
    }),
  ];
}
