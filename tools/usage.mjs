// Faults in the arguments of a command.

/** A fault of the arguments, which is printed without a stack. */
export class UsageError extends Error {}

/** Ends the program with the message of a fault of its arguments. Throws any other error again. */
export function refuse(error) {
  if (!(error instanceof UsageError) && !error.code?.startsWith('ERR_PARSE_ARGS')) throw error;
  console.error(error.message);
  process.exit(2);
}
