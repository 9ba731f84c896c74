// Sizes that are inferred before a run, compared with what runs show.

/** The value of a size such as "2*N + floor((M)/(2))" where names have these sizes. */
export function valueOfSize(size, sizes) {
  if (typeof size === 'number') return size;
  const names = Object.keys(sizes);
  const work = new Function('floor', 'min', 'max', ...names, `return ${size}`);
  return work(Math.floor, Math.min, Math.max, ...names.map((name) => sizes[name]));
}

/** The first contradiction of what is inferred of a value and a tensor that a run gave for it. */
export function contradictionOf(inferred, tensor, sizes) {
  if (inferred === null) return undefined;
  const { type, dims } = inferred;
  if (type !== null && type !== tensor.type) return `inferred ${type}, and it is ${tensor.type}`;
  if (dims === null) return undefined;
  const isWrong =
    dims.length !== tensor.dims.length ||
    dims.some((size, axis) => size !== null && valueOfSize(size, sizes) !== tensor.dims[axis]);
  if (!isWrong) return undefined;
  return `inferred [${dims}], and it has [${tensor.dims}] for ${JSON.stringify(sizes)}`;
}
