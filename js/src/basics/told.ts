interface Told {
  readonly name: string;
  readonly type: string | null;
  readonly dims: readonly (number | string | null)[] | null;
}

const mostTold = 4;
const longestName = 40;

/** The facts that are known of a value: `x float32 [batch, 3]`. A size that is not known is a question mark. */
function valueText({ name, type, dims }: Told): string {
  const short = name.length > longestName ? `${name.slice(0, longestName)}...` : name;
  const sizes = dims === null ? [] : [`[${dims.map((size) => size ?? '?').join(', ')}]`];
  return [short, ...(type === null ? [] : [type]), ...sizes].join(' ');
}

function listText(values: readonly Told[]): string {
  const texts = values.slice(0, mostTold).map(valueText);
  if (values.length > mostTold) texts.push(`${values.length - mostTold} more`);
  return texts.join(', ') || 'nothing';
}

/** One line about a model: `Model (opset 13): x float32 [batch, 3] -> y float32 [batch, 2]`. @internal */
export const modelText = (head: string, inputs: readonly Told[], outputs: readonly Told[]): string =>
  `${head}: ${listText(inputs)} -> ${listText(outputs)}`;

/** What `tell` says, or why there is nothing to be said: a print must not fail. @internal */
export function textOf(name: string, tell: () => string): string {
  try {
    return tell();
  } catch (error) {
    const { code } = error as { code?: string };
    return `${name} (${code === 'DISPOSED' ? code : 'its prototype, a proxy or a copy'})`;
  }
}
