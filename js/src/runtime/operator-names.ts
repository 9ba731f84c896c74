import type { OperatorAttributes } from './operators.generated.js';

/** ONNX's name of an operator. Others are strings, too: editors offer those that there are. */
export type OperatorName = keyof OperatorAttributes | (string & {});

/** The attributes of an operator by its name, or `A` where the name is not known before the program runs. */
export type AttributesOf<N extends string, A> = N extends keyof OperatorAttributes ? OperatorAttributes[N] : A;
