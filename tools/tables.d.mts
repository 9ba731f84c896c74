export function tableFields(path: string, macro: string, field: number): string[];
