async function run() {
  await navigator.serviceWorker.register('sw.js');
  const { active } = await navigator.serviceWorker.ready;
  const { port1, port2 } = new MessageChannel();
  const answer = new Promise((resolve) => {
    port1.onmessage = ({ data }) => resolve(data);
  });
  active.postMessage('check', [port2]);
  const { error, result } = await answer;
  if (error) throw new Error(error);
  return result;
}

globalThis.result = run();
