function run() {
  const worker = new SharedWorker('worker.js', { type: 'module' });
  return new Promise((resolve, reject) => {
    worker.onerror = () => reject(new Error('the worker failed'));
    worker.port.onmessage = ({ data }) => (data.error ? reject(new Error(data.error)) : resolve(data.result));
    worker.port.postMessage('check');
  });
}

globalThis.result = run();
