import { check } from './check.js';
import * as broadloom from './node_modules/broadloom/dist/index.js';

self.onconnect = ({ ports: [port] }) => {
  port.onmessage = () => {
    check(broadloom).then(
      (result) => port.postMessage({ result }),
      (error) => port.postMessage({ error: `${error}\n${error.stack}` }),
    );
  };
};
