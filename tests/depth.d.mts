export declare const isDeep: boolean;
export declare const seed: number;
export declare function someOf<T>(list: Iterable<T>, step: number, first?: number): T[];
