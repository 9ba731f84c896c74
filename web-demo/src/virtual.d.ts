declare module 'virtual:facts' {
  const facts: {
    /** Of the operators' files. */
    readonly folder: string;
    readonly home: string;
    readonly index: readonly import('./facts.js').IndexRow[];
    readonly dataTypes: readonly import('./facts.js').TypeRow[];
    readonly known: readonly import('./facts.js').OperatorFacts[];
  };
  export default facts;
}

declare module 'virtual:aliases' {
  const aliases: readonly {
    readonly name: string;
    readonly aliases: readonly string[];
    /** In all languages. */
    readonly summary: string;
  }[];
  export default aliases;
}
