import { counted } from '../../../shared/counted.js';
import { invalidArgument, OnnxError } from '../basics/error.js';

/** The most entries of a list that is made of elements. JavaScript engines end the program a little above twice as many. */
const longestList = 2 ** 26;

/** Refuses to make a longer list of elements. */
export function checkList(method: string, type: string, size: number): void {
  if (size <= longestList) return;
  const advice = type === 'string' ? 'take parts by slice' : 'read data';
  throw new OnnxError('OUT_OF_MEMORY', `${method}: ${size} elements are too many for a list; ${advice}`);
}

/** The error of a tensor whose handle is 0 after `dispose`, and -1 after the end of its scope. */
export function freedError(tensor: string, handle: number): OnnxError {
  const fate = handle === 0 ? 'was disposed of' : 'was freed when its scope ended: return it from the scope to keep it';
  return new OnnxError('DISPOSED', `this ${tensor} ${fate}`);
}

/** The error of `item` for a tensor of several elements, or none. */
export function notOne(told: string, size: number): OnnxError {
  return invalidArgument(`item: ${told} has ${counted(size, 'element')}, wanted one`);
}

/** The error of the class's constructor. */
export function madeByHand(): OnnxError {
  return invalidArgument('a tensor is made by a runtime: ops.tensor(type, data, dims), after ops = await load()');
}
