// A reporter of Node's test runner: writes how many tests ran and how many of them failed, as JSON. Tests that a pattern leaves out
// are skipped, and files and groups of tests are none.
export default async function* count(events) {
  let [executed, failed] = [0, 0];
  for await (const { type, data } of events) {
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    if (data.skip !== undefined || data.todo !== undefined || data.details.type === 'suite') continue;
    executed++;
    if (type === 'test:fail') failed++;
  }
  yield JSON.stringify({ executed, failed });
}
