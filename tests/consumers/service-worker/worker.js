import * as broadloom from 'broadloom/inline';
import { check } from './check.js';

self.onmessage = (event) => {
  const [port] = event.ports;
  event.waitUntil(
    check(broadloom).then(
      (result) => port.postMessage({ result }),
      (error) => port.postMessage({ error: `${error}\n${error.stack}` }),
    ),
  );
};
