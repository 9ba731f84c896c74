/** The levels of onnxruntime's log, from all to little. */
export const levels = ['verbose', 'info', 'warning', 'error', 'fatal'] as const;

/** The level of `env.logLevel`. */
export const log: { level: (typeof levels)[number] } = { level: 'warning' };

/** Who asks for a warning: its name stands before the text, and a severity above 2 keeps it silent. */
export interface LogOptions {
  readonly logId?: string | undefined;
  readonly logSeverityLevel?: number | undefined;
}

const said = new Set<string>();

/** Prints a warning, unless it was said before or is not wanted. */
export function warnOnce(text: string, { logId, logSeverityLevel = 2 }: LogOptions = {}): void {
  if (said.has(text) || logSeverityLevel > 2 || levels.indexOf(log.level) > levels.indexOf('warning')) return;
  said.add(text);
  console.warn(`broadloom: ${logId === undefined ? '' : `${logId}: `}${text}`);
}
