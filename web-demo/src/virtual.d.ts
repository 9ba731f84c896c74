declare module 'virtual:facts' {
  const facts: {
    readonly operators: import('broadloom').Operator[];
    readonly dataTypes: import('./facts.js').TypeRow[];
    readonly examples: import('./facts.js').Example[];
  };
  export default facts;
}
