/** The files by name. */
export function sampleModels(): { [name: string]: Uint8Array };
