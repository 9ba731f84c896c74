// The signatures of operators' typed methods, with their comments.
import { attributesType, linkOf } from './attributes.mjs';
import { isOfIndices, quoted } from './description.mjs';

/** The type of an operand whose type is known, and must be one that the operator takes. */
const known = (type) => `TensorLike<${type}>`;
/** The type of an operand whose type may be known only when the program runs. */
const perhaps = (type, union) => (union === 'DataType' ? known(type) : `Perhaps<${type}, ${union}>`);
const besides = (tensor, variable) => `${tensor} | NumberOf<NoInfer<${variable}>>`;

/**
 * Whether a number may stand for an input that is the only one of its type variable. The first input is a tensor, unless it is a
 * length.
 */
const isNumeric = ({ variable, types, schemaName }, inputs) =>
  isOfIndices(types) ||
  (schemaName !== inputs[0].schemaName &&
    inputs.filter((other) => other.variable === variable).length === 1 &&
    (types.includes('float32') || types.includes('int64')));

/** The type of an input that has one of a few types. */
function fixedType(types, tensor) {
  if (isOfIndices(types)) return `${tensor} | DimsLike | number | bigint`;
  return types.join() === 'bool' ? `${tensor} | boolean | readonly boolean[]` : `${tensor} | number | bigint`;
}

/**
 * The parameters of the first `count` inputs, and type parameters with their defaults. Loose ones take tensors whose types are
 * known only when the program runs, and each has a type parameter of its own.
 */
function parametersOf({ variables, inputs, numberFirst }, count, isLoose) {
  const generics = []; // after the type parameters of variables
  const own = (standard) => {
    const name = `P${generics.length + 1}`;
    generics.push({ name, union: 'DataType', standard });
    return name;
  };
  const seen = new Set();
  const parameters = inputs.slice(0, count).map((input) => {
    const { name, optional, variable, variadic, types } = input;
    const union = variables.get(variable);
    let type;
    if (variadic) type = isLoose ? looseList(variable, union) : knownList(variable);
    else if (variable === undefined) {
      const list = quoted(types);
      type = fixedType(types, isLoose ? perhaps(own(list), list) : known(list));
    } else if (!seen.has(variable)) {
      const tensor = isLoose ? perhaps(variable, union) : known(variable);
      const number = isNumeric(input, inputs) ? `${tensor} | number | bigint` : tensor;
      type = numberFirst && isLoose ? besides(tensor, variable) : number;
    } else if (!isLoose) type = besides(known(`NoInfer<${variable}>`), variable);
    else type = besides(`Perhaps<${own(numberFirst ? 'never' : variable)}, NoInfer<${variable}>>`, variable);
    seen.add(variable);
    return { name, optional, type: optional ? `${type} | null | undefined` : type };
  });
  return { parameters, generics };
}

/** A list in brackets tells the type by its first operand. All operands of another list are of one type. */
const looseList = (variable, union) =>
  `readonly [${perhaps(variable, union)}, ...(${besides(perhaps(`NoInfer<${variable}>`, union), variable)})[]]` +
  ` | OneType<Each, readonly ${perhaps('Each', union)}[]>`;
const knownList = (variable) => `OneType<${variable}, readonly ${known(variable)}[]>`;

/** The type parameters of a signature. Parameters with a default come last; a parameter may be the default of later ones. */
function genericsOf(it, count, isLoose, own) {
  const { variables, inputs, source, standard, variadic, numberFirst } = it;
  const from = inputs.slice(0, count).find(({ schemaName }) => schemaName === source)?.variable;
  // A number has this type where no operand tells it.
  const hasNumbers = (name) =>
    inputs.some((input) => input.variable === name && isNumeric(input, inputs) && input.types.includes('float32'));
  const list = [...variables].map(([name, union]) => {
    if (name === 'To') return { name, union: 'DataType', standard: standard ?? from ?? 'DataType' };
    const other = numberFirst && isLoose ? own.find((each) => each.standard === 'never')?.name : undefined;
    return {
      name,
      union: isLoose ? 'DataType' : union,
      standard: variadic && isLoose ? 'never' : (other ?? (hasNumbers(name) ? "'float32'" : undefined)),
    };
  });
  if (variadic && isLoose) own.push({ name: 'Each', union: 'DataType', standard: 'never' });
  const all = numberFirst && isLoose ? [...own, ...list] : [...list, ...own];
  const ordered = [...all.filter((each) => !each.standard), ...all.filter((each) => each.standard)];
  const texts = ordered.map(
    ({ name, union, standard: value }) => `${name} extends ${union}${value ? ` = ${value}` : ''}`,
  );
  return texts.length === 0 ? '' : `<${texts.join(', ')}>`;
}

/** The types of the elements of a list have two parameters: one for lists in brackets. */
const returnsOf = ({ returns, variadic, inputs }, isLoose) =>
  variadic && isLoose
    ? returns.replaceAll(`<${inputs.at(-1).variable}>`, `<${inputs.at(-1).variable} | Each>`)
    : returns;

const options = { name: 'options', optional: true, type: 'OperatorOptions' };

/** The arguments after the inputs, for a call that gives all inputs, or all before the first one that it leaves out. */
function settingsOf(it, isNeeded) {
  if (it.attributes.length === 0) return [{ ...options, optional: !isNeeded }];
  const optional = !isNeeded && !it.attributes.some(({ required }) => required);
  const type = attributesType(it);
  const needsNone = isNeeded && !it.attributes.some(({ required }) => required);
  return [{ name: 'attributes', optional, type: needsNone ? `${type} | undefined` : type }, options];
}

/** A signature with its comment. */
function signatureOf(it, { count, isLoose, last }) {
  const { parameters, generics } = parametersOf(it, count, isLoose);
  const all = [...parameters, ...last];
  const firstOptional = all.findLastIndex(({ optional }) => !optional) + 1;
  const texts = all.map(({ name, optional, type }, i) =>
    optional && i >= firstOptional ? `${name}?: ${type.replace(/ \| undefined$/, '')}` : `${name}: ${type}`,
  );
  const text = `${it.method}${genericsOf(it, count, isLoose, generics)}(${texts.join(', ')}): ${returnsOf(it, isLoose)};`;
  return [...commentOf(it, all), `  ${text}`];
}

/** The comment of a signature with these parameters. */
function commentOf({ operator, words, inputs, attributes }, parameters) {
  const sentenceOf = ({ name }) => {
    if (name === 'options') return "`opset`, which picks the operator's version";
    const input = inputs.find((each) => each.name === name);
    if (input !== undefined) return words.inputs[input.schemaName];
    const names = attributes.map((attribute) => `\`${attribute.name}\``).join(', ');
    return `${names}: see {@link ${operator}Attributes}`;
  };
  return [
    '  /**',
    `   * ${linkOf(operator)}: ${words.summary}`,
    '   *',
    ...parameters.map((parameter) => `   * @param ${parameter.name} - ${sentenceOf(parameter)}`),
    '   * @throws {@link OnnxError} `INVALID_ARGUMENT`, `UNSUPPORTED_TYPE`, `UNKNOWN_OPERATOR`, `OUT_OF_MEMORY`, `DISPOSED`',
    '   */',
  ];
}

/**
 * All signatures of an operator: one where no input may be left out. Otherwise attributes stand in the place of the first input
 * that is left out: there is one signature without attributes, then one for each count of inputs.
 *
 * Where two or three signatures fit the number of arguments and none their types, TypeScript marks the method's name alone. Of
 * four it marks what is wrong for the last. So there is a second set, of tensors whose types are known; the loose and fullest
 * signature comes last, and no other takes as many arguments.
 */
export function signaturesOf(it) {
  const { inputs } = it;
  const required = inputs.filter(({ optional }) => !optional).length;
  if (required === inputs.length)
    return signatureOf(it, { count: required, isLoose: true, last: settingsOf(it, false) });
  const needed = it.attributes.some((attribute) => attribute.required);
  const forms = needed ? [] : [{ count: inputs.length, last: [] }];
  for (let count = required; count <= inputs.length; count++) forms.push({ count, last: settingsOf(it, true) });
  const knownForms = forms.with(-1, { ...forms.at(-1), last: forms.at(-1).last.slice(0, -1) });
  if (knownForms.at(-1).last.length === 0) knownForms.pop(); // it is the one without attributes
  return [
    ...knownForms.flatMap((form) => signatureOf(it, { ...form, isLoose: false })),
    ...forms.flatMap((form) => signatureOf(it, { ...form, isLoose: true })),
  ];
}
