/** A tensor as examples/documented.json writes it, with `fill` written out. */
export interface ExampleTensor {
  type: 'float32' | 'int32' | 'int64';
  dims: number[];
  data: number[];
}

export interface Example {
  name: string;
  operator: string;
  inputs: ExampleTensor[];
  attributes: { [name: string]: number | ExampleTensor };
  output: ExampleTensor;
}

export function documentedExamples(): Example[];
