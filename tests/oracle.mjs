// The limits of onnxruntime, with which the tests compare results.

/** The newest opset that onnxruntime runs, on Node and in browsers. A test of tests/differential asks it. */
export const oracleOpset = 26;

/** The versions that the oracle may know. It is empty for an operator that is newer than the oracle. */
export const oracleVersions = (versions) => versions.filter(({ sinceVersion }) => sinceVersion <= oracleOpset);
