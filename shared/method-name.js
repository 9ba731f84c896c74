// How the typed methods of operators are called: for the generator, the examples, and the playground. It imports nothing.

/** The operator's name in camel case; a first word of capitals becomes small as a whole (RMSNormalization: rmsNormalization). */
export const methodName = (operator) =>
  operator.replace(/^[A-Z]+$|^[A-Z]{2,}(?=[A-Z][a-z])|^[A-Z]/, (start) => start.toLowerCase());
