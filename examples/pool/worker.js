// A worker of the pool: one runtime and one model, for all tasks.
import { exit } from 'node:process';
import { workerData } from 'node:worker_threads';
import { load, OnnxError } from 'broadloom';
import { move, transferableSymbol, valueSymbol } from 'piscina';

const ops = await load({ ...workerData.runtime, wasm: workerData.module });
let opened;
const model = () => (opened ??= ops.loadModel(workerData.model));

/** What the model declares. */
export const describe = () => answer(() => ({ inputs: model().inputs, outputs: model().outputs }));

/** Runs the model. The elements of its outputs move to the caller. */
export default (feeds) =>
  answer(
    () =>
      ops.scope(() =>
        Object.fromEntries(Object.entries(model().run(feeds)).map(([name, tensor]) => [name, tensor.toMessage()])),
      ),
    (outputs) => Object.values(outputs).flatMap(({ data }) => (ArrayBuffer.isView(data) ? [data.buffer] : [])),
  );

/** `{ result }` or `{ error }`: an error is an answer, too, which tells it from the death of the worker. */
function answer(work, buffersOf = () => []) {
  try {
    const result = work();
    return move({ [valueSymbol]: { result }, [transferableSymbol]: buffersOf(result) });
  } catch (error) {
    // The worker got its feeds as messages, so this can only be a runtime that has ended. The worker ends with it, and another
    // one takes the task.
    if (error instanceof OnnxError && error.code === 'DISPOSED') exit(1);
    const { code, message, operator, opset, node } = error;
    return { error: { code: error instanceof OnnxError ? code : undefined, message, operator, opset, node } };
  }
}
