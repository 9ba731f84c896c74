/** The files of the page "Models", by name. */
export function sampleModels(): { [name: string]: Uint8Array };
/** The files of the page "Simplify", by name. */
export function simplifyModels(): { [name: string]: Uint8Array };
