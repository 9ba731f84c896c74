// Reads the bodies of requests from strangers, within bounds: of one body, of all bodies that are here, and of time.
// The file is the same in examples/edge and examples/next.

/** A request that is answered with a status of 4xx or 503 and the message. */
export class Refusal extends Error {
  constructor(status, message, options) {
    super(message, options);
    this.status = status;
  }
}

export class Uploads {
  #limits;
  #inFlight = 0;

  /**
   * @param limits.bytes - the most bytes of a body
   * @param limits.inFlight - the most bytes of all bodies that are read or worked on. A body counts with the length that it declares,
   * and one that declares none as the longest
   * @param limits.least - with how many bytes a body counts that is shorter: work on it takes memory, too
   * @param limits.milliseconds - the most time in which a body arrives
   */
  constructor(limits) {
    this.#limits = limits;
  }

  /**
   * Reads the body of a request. Its bytes count until `work` has ended.
   *
   * @param work - a function of the bytes, which may be asynchronous
   * @returns the result of `work`
   * @throws {@link Refusal} 413 for a body that is too long, 503 where too many bytes are here, before the body is read; 408 for a
   * body that is late, 400 for one that ends early
   */
  async read({ body, headers }, work) {
    const { bytes, inFlight, least } = this.#limits;
    const length = headers.has('Content-Length') ? Number(headers.get('Content-Length')) : bytes;
    if (!(length >= 0 && length <= bytes)) throw tooLong(bytes);
    const counted = Math.max(length, least);
    if (this.#inFlight + counted > inFlight) throw new Refusal(503, 'too many files arrive at once');
    this.#inFlight += counted;
    try {
      return await work(await this.#bytesOf(body, new Uint8Array(length)));
    } finally {
      this.#inFlight -= counted;
    }
  }

  async #bytesOf(body, bytes) {
    const reader = body?.getReader();
    const { milliseconds } = this.#limits;
    let timer;
    const late = new Promise((_, reject) => {
      const refusal = new Refusal(408, `the file did not arrive within ${milliseconds} ms`);
      timer = setTimeout(() => reject(refusal), milliseconds);
    });
    let size = 0;
    try {
      for (;;) {
        const { done, value } = (await Promise.race([reader?.read(), late])) ?? { done: true };
        if (done) return bytes.subarray(0, size);
        if (size + value.length > bytes.length) throw tooLong(bytes.length);
        bytes.set(value, size);
        size += value.length;
      }
    } catch (error) {
      reader.cancel(error).catch(() => {}); // it is broken, or reads no more
      if (error instanceof Refusal) throw error;
      throw new Refusal(400, `the file did not arrive: ${error.message}`, { cause: error });
    } finally {
      clearTimeout(timer);
    }
  }
}

const tooLong = (most) => new Refusal(413, `the file has more than ${most} bytes`);

/** Headers of refusals by their status. A connection whose body was not read is closed. */
export const headersOf = {
  408: { Connection: 'close' },
  413: { Connection: 'close' },
  503: { Connection: 'close', 'Retry-After': '1' },
};
