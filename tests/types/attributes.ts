// Compile-only: where TypeScript reports a wrong attribute, and attributes by the names of operators. Lines below @ts-expect-error
// must not compile: so each stands at the line that is marked. tests/package/types.test.mjs has all operators.
import type {
  AnyTensor,
  AttributesOf,
  OperatorAttributes,
  OperatorName,
  RemoteRuntime,
  Runtime,
  Tensor,
} from 'broadloom';
import { holds, type Same } from './helpers.js';

declare const ops: Runtime;
declare const remote: RemoteRuntime;
declare const x: Tensor<'float32'>;
declare const unknown: Tensor;
declare const list: Tensor<'float32'>[];
declare const pads: number[];

// With all inputs, with some, with none of those that may be left out.
ops.pad(x, pads, 0, null, {
  // @ts-expect-error: no such mode
  mode: 'zeros',
});
ops.pad(unknown, pads, 0, [0], {
  // @ts-expect-error: no such mode
  mode: 'zeros',
});
ops.pad(x, pads, 0, {
  // @ts-expect-error: no such mode
  mode: 'zeros',
});
ops.pad(x, pads, {
  // @ts-expect-error: no such mode
  mode: 'zeros',
});
ops.pad(
  unknown,
  pads,
  0,
  null,
  {
    // @ts-expect-error: no such mode
    mode: 'zeros',
  },
  { opset: 19 },
);
ops.reduceSum(x, [0], {
  // @ts-expect-error: a number, or a boolean
  keepdims: 'no',
});
ops.reduceSum(unknown, {
  // @ts-expect-error: no such attribute
  keepDims: 1,
});
ops.softmax(unknown, {
  // @ts-expect-error: no such attribute
  axes: 1,
});
ops.mod(2, x, {
  // @ts-expect-error: a number, or a boolean
  fmod: 'yes',
});
ops.concat(list, {
  // @ts-expect-error: a number
  axis: 'last',
});
ops.cast(x, {
  // @ts-expect-error: no such type
  to: 'float',
});
ops.clip(x, 0, 6, {
  // @ts-expect-error: a number
  opset: '13',
});
ops.add(x, 1, {
  // @ts-expect-error: no such option
  version: 13,
});
ops.lstm(x, x, x, null, null, null, null, null, {
  // @ts-expect-error: no such direction
  direction: 'backward',
});

// By the operator's name: the attributes of all versions.
const found = ops.run('TopK', [x, 2], { axis: 0, largest: false });
holds<Same<typeof found, AnyTensor[]>>();
ops.run('TopK', [x], { k: 2 }, { opset: 9 });
ops.run('TopK', [x, 2], {
  // @ts-expect-error: no such attribute
  axes: 0,
});
ops.run('Pad', [x], { pads: [0, 1], value: 0 }, { opset: 2 });
ops.run('Pad', [x, pads], {
  // @ts-expect-error: no such mode
  mode: 'zeros',
});
ops.run('GridSample', [x, x], { mode: 'bilinear' }, { opset: 16 });
ops.run('Cast', [x], { to: 'FLOAT16' }, { opset: 1 });
ops.run('Cast', [x], { to: 'float16' });
ops.run('ReduceMean', [x], { axes: [0], keepdims: true }, { opset: 13 });
ops.run('ConstantOfShape', [[2]], { value: x });
ops.run('Constant', [], { value_float: 1 });
ops.run('Range', [0, 1, 0.5], { stash_type: 1 });
ops.run('Concat', [x, x], { axis: 0 });
ops.run('Add', [x, x]);
ops.run('Where', [[true], x, 0], {});
ops.nodeModel('LRN', [x], {
  size: 3,
  // @ts-expect-error: a number
  alpha: '1',
});
remote.run('TopK', [x, 2], {
  // @ts-expect-error: no such attribute
  axes: 0,
});

// Names that are known when the program runs take any attributes, those of interfaces, too.
interface Own {
  readonly axis: number;
}
declare const name: string;
declare const own: Own;
ops.run(name, [x], { axis: 1, list: [1, 2] });
ops.run(name, [x], own);
ops.run(name as OperatorName, [x], own);
// @ts-expect-error: no attribute is a function
ops.run(name, [x], { axis: () => 1 });
holds<Same<AttributesOf<'Softmax', never>, OperatorAttributes['Softmax']>>();
