declare module 'virtual:facts' {
  const facts: {
    /** The folder of the operators' files. */
    readonly folder: string;
    readonly home: string;
    readonly groups: readonly import('./facts.js').OperatorGroup[];
    readonly index: readonly import('./facts.js').IndexRow[];
    readonly foreign: readonly import('./facts.js').ForeignRow[];
    readonly dataTypes: readonly import('./facts.js').TypeRow[];
    readonly known: readonly import('./facts.js').OperatorFacts[];
  };
  export default facts;
}

/** Names of the real models that the site has: see real-models.ts. */
declare const realModels: readonly string[];

/** The address of the source code; null where package.json names none. */
declare const sourceAddress: string | null;

declare module 'virtual:presets' {
  /** Options of `fromImage` and of `logMel`, by the names of presets. */
  const presets: {
    readonly images: { readonly [name: string]: import('broadloom').ImageOptions };
    readonly sounds: { readonly [name: string]: import('broadloom').LogMelOptions };
  };
  export default presets;
}

declare module 'virtual:aliases' {
  const aliases: readonly import('./facts.js').SearchRow[];
  export const guides: readonly import('./facts.js').GuideRow[];
  export default aliases;
}
