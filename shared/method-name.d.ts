export function methodName(operator: string): string;
