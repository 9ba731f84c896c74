export declare const oracleOpset: number;
export declare function oracleVersions<T extends { readonly sinceVersion: number }>(versions: readonly T[]): T[];
