import { invalidArgument } from '../basics/error.js';
import { isPlainObject } from '../basics/plain.js';
import { show } from '../basics/show.js';

/** Names of classes: a list in the order of the model's scores, or an object by number, as `id2label` of transformers is. */
export type Labels = readonly string[] | { readonly [index: number]: string };

/** A function from the number of a class to its name; a class without one has its number as its name. */
export function readLabels(task: string, labels: unknown, count: number, advice = ''): (index: number) => string {
  if (labels === undefined) return String;
  if (!Array.isArray(labels) && !isPlainObject(labels))
    throw invalidArgument(`${task}: labels are ${show(labels)}, wanted a list of names, or an object by number`);
  if (Array.isArray(labels) && labels.length !== count)
    throw invalidArgument(`${task}: ${labels.length} labels for ${count} classes${advice}`);
  return (index) => {
    const label = Object.hasOwn(labels, index) ? (labels as { [index: number]: unknown })[index] : undefined;
    if (label !== undefined && typeof label !== 'string')
      throw invalidArgument(`${task}: label ${index} is ${show(label)}, wanted a string`);
    return label ?? String(index);
  };
}
