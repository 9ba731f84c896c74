// A classic script, dist/global.js, has no import.meta. Its modules use the address of remote.js beside it instead of their own:
// from there they find the wasm module and the worker's script.

function addressOfScript(): string {
  const { document, location } = globalThis as Partial<typeof globalThis>;
  const script = document?.currentScript as { readonly src?: string } | null | undefined;
  return script?.src || document?.baseURI || location?.href || '';
}

/** A CDN's short address, such as `https://cdn.example/broadloom@1`, stands for a file of the package: this version of it is meant. */
const shortName = /\/broadloom(@[^/]*)?$/;

export const scriptUrl = addressOfScript()
  .replace(/[?#].*/s, '')
  .replace(shortName, `/broadloom@${broadloomVersion}/dist/`)
  .replace(/[^/]*$/, 'remote.js');
