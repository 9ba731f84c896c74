'use client';

import { useEffect, useState } from 'react';
import { classifyInPage, classifyOnServer, fetched, turned } from './classify.js';

const places = { 'In this page': classifyInPage, 'On the server': classifyOnServer };

/** The result of a promise for the file: { value } or { error }; undefined while it is pending, and without a file. */
function useResult(work, file) {
  const [result, setResult] = useState();
  useEffect(() => {
    if (file === undefined) return;
    let isWanted = true;
    const set = (value) => isWanted && setResult(value);
    set(undefined);
    work(file).then(
      (value) => set({ value }),
      (error) => set({ error }),
    );
    return () => {
      isWanted = false;
    };
  }, [work, file]);
  return result;
}

function Answer({ place, file }) {
  const result = useResult(places[place], file);
  return (
    <section>
      <h2>{place}</h2>
      {result?.error ? (
        <p role="alert">{result.error.message}</p>
      ) : (
        <p role="status">{result ? `${result.value.label} (${(100 * result.value.score).toFixed(2)} %)` : '...'}</p>
      )}
    </section>
  );
}

function Picture({ file }) {
  const [address, setAddress] = useState();
  useEffect(() => {
    const made = URL.createObjectURL(file);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return <img src={address} alt="" />;
}

export default function Page() {
  const [file, setFile] = useState();
  const [error, setError] = useState();
  const take = (promise) =>
    promise.then((taken) => {
      setFile(taken);
      setError(undefined);
    }, setError);
  useEffect(() => {
    fetched('/line.jpg')
      .then((response) => response.blob())
      .then(setFile, setError);
  }, []);
  return (
    <main>
      <h1>Upright or on its head</h1>
      <p>
        PaddleOCR's model looks at a line of text. It runs twice: in this page, and in a route handler on the server.
      </p>
      <p>
        <label>
          An image of a line{' '}
          <input
            type="file"
            accept="image/jpeg,image/png,image/webp"
            onChange={({ target }) => target.files[0] && take(Promise.resolve(target.files[0]))}
          />
        </label>{' '}
        <button type="button" disabled={!file} onClick={() => take(turned(file))}>
          Turn it
        </button>
      </p>
      {error && <p role="alert">{error.message}</p>}
      {file && <Picture file={file} />}
      <div className="answers">
        {Object.keys(places).map((place) => (
          <Answer key={place} place={place} file={file} />
        ))}
      </div>
    </main>
  );
}
