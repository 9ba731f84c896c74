// Failures of a job.

/**
 * Whether a second run of the same input may succeed: the machine was paused or busy, or its memory was full. All other errors of a
 * run are the input's.
 *
 * @param error - an OnnxError
 */
export const mayPass = ({ code, limit }) =>
  code === 'OUT_OF_MEMORY' || (code === 'LIMIT_EXCEEDED' && limit === 'milliseconds');
