// A classic script, dist/global.js, has no import.meta. Its modules use the address of remote.js beside it instead of their own:
// from there they find the wasm module and the worker's script.

/** A CDN's short address, such as `https://cdn.example/broadloom@1`, stands for a file of the package: this version of it is meant. */
const shortName = /\/broadloom(@[^/]*)?$/;

function addressOfScript(): string {
  const { document, location } = globalThis as Partial<typeof globalThis>;
  const { src = '' } = (document?.currentScript ?? {}) as { readonly src?: string };
  // Nothing lies beside a script that is written into an address. Of a script in a page, or of one that a worker imports, the page's
  // or the worker's own address is known alone.
  if (/^(data|blob):/.test(src) || src === '') return withoutQuery(document?.baseURI ?? location?.href ?? '');
  return withoutQuery(src).replace(shortName, `/broadloom@${broadloomVersion}/dist/`);
}

const withoutQuery = (address: string) => address.replace(/[?#].*/s, '');

export const scriptUrl = addressOfScript().replace(/[^/]*$/, 'remote.js');
