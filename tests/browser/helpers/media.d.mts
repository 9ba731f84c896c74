export function png(width: number, height: number, colourAt: (x: number, y: number) => readonly number[]): Buffer;
export function wav(rate: number, channels: readonly (readonly number[])[]): Buffer;
