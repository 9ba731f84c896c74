export const passNames: string[];
export function tableFields(path: string, macro: string, field: number): string[];
