export function officialFolder(): string;
