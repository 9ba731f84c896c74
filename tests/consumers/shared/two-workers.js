function answer(worker) {
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = ({ message }) => reject(new Error(message));
  });
}

async function run() {
  const maker = new Worker(new URL('./maker.js', import.meta.url), { type: 'module' });
  const { tensor, ...made } = await answer(maker);
  const reader = new Worker(new URL('./reader.js', import.meta.url), { type: 'module' });
  reader.postMessage(tensor, [tensor.data.buffer]);
  const { sum, ...read } = await answer(reader);
  if (sum !== 72) throw new Error(`the sum is ${sum}`);
  if (JSON.stringify(made) !== JSON.stringify(read)) throw new Error('the workers differ');
  return read;
}

globalThis.result = run();
