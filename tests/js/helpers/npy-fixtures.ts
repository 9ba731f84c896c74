// Files that NumPy 1.24 wrote, with their elements as hexadecimal bytes in ONNX's layout, or as strings.
export interface NpyFixture {
  title: string;
  type: string;
  dims: number[];
  expected: string | string[];
  file: string;
}
export const npyFixtures: NpyFixture[] = [
  {
    title: 'float32',
    type: 'float32',
    dims: [2, 3],
    expected: '0000c03f000000800000807f0000c07f01000000000000c0',
    file: 'k05VTVBZAQB2AHsnZGVzY3InOiAnPGY0JywgJ2ZvcnRyYW5fb3JkZXInOiBGYWxzZSwgJ3NoYXBlJzogKDIsIDMpLCB9ICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIAoAAMA/AAAAgAAAgH8AAMB/AQAAAAAAAMA=',
  },
  {
    title: 'big-endian float32',
    type: 'float32',
    dims: [2, 3],
    expected: '0000c03f000000800000807f0000c07f01000000000000c0',
    file: 'k05VTVBZAQB2AHsnZGVzY3InOiAnPmY0JywgJ2ZvcnRyYW5fb3JkZXInOiBGYWxzZSwgJ3NoYXBlJzogKDIsIDMpLCB9ICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIAo/wAAAgAAAAH+AAAB/wAAAAAAAAcAAAAA=',
  },
  {
    title: 'Fortran-ordered float32',
    type: 'float32',
    dims: [2, 3],
    expected: '0000c03f000000800000807f0000c07f01000000000000c0',
    file: 'k05VTVBZAQB2AHsnZGVzY3InOiAnPGY0JywgJ2ZvcnRyYW5fb3JkZXInOiBUcnVlLCAnc2hhcGUnOiAoMiwgMyksIH0gICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIAoAAMA/AADAfwAAAIABAAAAAACAfwAAAMA=',
  },
  {
    title: 'big-endian, Fortran-ordered int32 of three axes',
    type: 'int32',
    dims: [2, 3, 4],
    expected:
      '000000000100000002000000030000000400000005000000060000000700000008000000090000000a0000000b0000000c0000000d0000000e0000000f0000001000000011000000120000001300000014000000150000001600000017000000',
    file: 'k05VTVBZAQB2AHsnZGVzY3InOiAnPmk0JywgJ2ZvcnRyYW5fb3JkZXInOiBUcnVlLCAnc2hhcGUnOiAoMiwgMywgNCksIH0gICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIAoAAAAAAAAADAAAAAQAAAAQAAAACAAAABQAAAABAAAADQAAAAUAAAARAAAACQAAABUAAAACAAAADgAAAAYAAAASAAAACgAAABYAAAADAAAADwAAAAcAAAATAAAACwAAABc=',
  },
  {
    title: 'float64 scalar',
    type: 'float64',
    dims: [],
    expected: '9a9999999999b93f',
    file: 'k05VTVBZAQB2AHsnZGVzY3InOiAnPGY4JywgJ2ZvcnRyYW5fb3JkZXInOiBGYWxzZSwgJ3NoYXBlJzogKCksIH0gICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIAqamZmZmZm5Pw==',
  },
  {
    title: 'float16',
    type: 'float16',
    dims: [3],
    expected: '003cff7b0100',
    file: 'k05VTVBZAQB2AHsnZGVzY3InOiAnPGYyJywgJ2ZvcnRyYW5fb3JkZXInOiBGYWxzZSwgJ3NoYXBlJzogKDMsKSwgfSAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIAoAPP97AQA=',
  },
  {
    title: 'big-endian complex64',
    type: 'complex64',
    dims: [2],
    expected: '0000803f00000040000000bf000040c0',
    file: 'k05VTVBZAQB2AHsnZGVzY3InOiAnPmM4JywgJ2ZvcnRyYW5fb3JkZXInOiBGYWxzZSwgJ3NoYXBlJzogKDIsKSwgfSAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIAo/gAAAQAAAAL8AAADAQAAA',
  },
  {
    title: 'complex128',
    type: 'complex128',
    dims: [1, 1],
    expected: '000000000000f03f0000000000000040',
    file: 'k05VTVBZAQB2AHsnZGVzY3InOiAnPGMxNicsICdmb3J0cmFuX29yZGVyJzogRmFsc2UsICdzaGFwZSc6ICgxLCAxKSwgfSAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIAoAAAAAAADwPwAAAAAAAABA',
  },
  {
    title: 'bool',
    type: 'bool',
    dims: [3],
    expected: '010001',
    file: 'k05VTVBZAQB2AHsnZGVzY3InOiAnfGIxJywgJ2ZvcnRyYW5fb3JkZXInOiBGYWxzZSwgJ3NoYXBlJzogKDMsKSwgfSAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIAoBAAE=',
  },
  {
    title: 'int8',
    type: 'int8',
    dims: [2],
    expected: '807f',
    file: 'k05VTVBZAQB2AHsnZGVzY3InOiAnfGkxJywgJ2ZvcnRyYW5fb3JkZXInOiBGYWxzZSwgJ3NoYXBlJzogKDIsKSwgfSAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIAqAfw==',
  },
  {
    title: 'uint16',
    type: 'uint16',
    dims: [2],
    expected: '0100ffff',
    file: 'k05VTVBZAQB2AHsnZGVzY3InOiAnPnUyJywgJ2ZvcnRyYW5fb3JkZXInOiBGYWxzZSwgJ3NoYXBlJzogKDIsKSwgfSAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIAoAAf//',
  },
  {
    title: 'int64',
    type: 'int64',
    dims: [2],
    expected: '0000000000000080ffffffffffffff7f',
    file: 'k05VTVBZAQB2AHsnZGVzY3InOiAnPGk4JywgJ2ZvcnRyYW5fb3JkZXInOiBGYWxzZSwgJ3NoYXBlJzogKDIsKSwgfSAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIAoAAAAAAAAAgP////////9/',
  },
  {
    title: 'uint64',
    type: 'uint64',
    dims: [1],
    expected: 'ffffffffffffffff',
    file: 'k05VTVBZAQB2AHsnZGVzY3InOiAnPHU4JywgJ2ZvcnRyYW5fb3JkZXInOiBGYWxzZSwgJ3NoYXBlJzogKDEsKSwgfSAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIAr//////////w==',
  },
  {
    title: 'empty uint32',
    type: 'uint32',
    dims: [0, 3],
    expected: '',
    file: 'k05VTVBZAQB2AHsnZGVzY3InOiAnPHU0JywgJ2ZvcnRyYW5fb3JkZXInOiBGYWxzZSwgJ3NoYXBlJzogKDAsIDMpLCB9ICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIAo=',
  },
  {
    title: 'U strings',
    type: 'string',
    dims: [2, 2],
    expected: ['a', '\u7ecf\ud83e\uddf6', '', 'weft'],
    file: 'k05VTVBZAQB2AHsnZGVzY3InOiAnPFU0JywgJ2ZvcnRyYW5fb3JkZXInOiBGYWxzZSwgJ3NoYXBlJzogKDIsIDIpLCB9ICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIAphAAAAAAAAAAAAAAAAAAAAz34AAPb5AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAB3AAAAZQAAAGYAAAB0AAAA',
  },
  {
    title: 'big-endian, Fortran-ordered U strings',
    type: 'string',
    dims: [2, 2],
    expected: ['a', 'bc', 'd', 'efg'],
    file: 'k05VTVBZAQB2AHsnZGVzY3InOiAnPlUzJywgJ2ZvcnRyYW5fb3JkZXInOiBUcnVlLCAnc2hhcGUnOiAoMiwgMiksIH0gICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIAoAAABhAAAAAAAAAAAAAABkAAAAAAAAAAAAAABiAAAAYwAAAAAAAABlAAAAZgAAAGc=',
  },
  {
    title: 'S strings',
    type: 'string',
    dims: [3],
    expected: ['a', '\u00e9', ''],
    file: 'k05VTVBZAQB2AHsnZGVzY3InOiAnfFMyJywgJ2ZvcnRyYW5fb3JkZXInOiBGYWxzZSwgJ3NoYXBlJzogKDMsKSwgfSAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIAphAMOpAAA=',
  },
  {
    title: 'version 2.0 int16',
    type: 'int16',
    dims: [2],
    expected: '0100feff',
    file: 'k05VTVBZAgB0AAAAeydkZXNjcic6ICc8aTInLCAnZm9ydHJhbl9vcmRlcic6IEZhbHNlLCAnc2hhcGUnOiAoMiwpLCB9ICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIAoBAP7/',
  },
  {
    title: 'version 3.0 int16',
    type: 'int16',
    dims: [2],
    expected: '0100feff',
    file: 'k05VTVBZAwB0AAAAeydkZXNjcic6ICc8aTInLCAnZm9ydHJhbl9vcmRlcic6IEZhbHNlLCAnc2hhcGUnOiAoMiwpLCB9ICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIAoBAP7/',
  },
];
/** Files whose dtype ONNX does not have. */
export const foreignNpy: [descr: string, file: string][] = [
  [
    '<f16',
    'k05VTVBZAQB2AHsnZGVzY3InOiAnPGYxNicsICdmb3J0cmFuX29yZGVyJzogRmFsc2UsICdzaGFwZSc6ICgxLCksIH0gICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIAoAAAAAAAAAgP8/AAAAAAAA',
  ],
  [
    '<M8[D]',
    'k05VTVBZAQB2AHsnZGVzY3InOiAnPE04W0RdJywgJ2ZvcnRyYW5fb3JkZXInOiBGYWxzZSwgJ3NoYXBlJzogKDEsKSwgfSAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIApWRwAAAAAAAA==',
  ],
  [
    "[('a', '<i4'), ('b', '<f4')]",
    'k05VTVBZAQB2AHsnZGVzY3InOiBbKCdhJywgJzxpNCcpLCAoJ2InLCAnPGY0JyldLCAnZm9ydHJhbl9vcmRlcic6IEZhbHNlLCAnc2hhcGUnOiAoMSwpLCB9ICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIAoAAAAAAAAAAA==',
  ],
  [
    '|O',
    'k05VTVBZAQB2AHsnZGVzY3InOiAnfE8nLCAnZm9ydHJhbl9vcmRlcic6IEZhbHNlLCAnc2hhcGUnOiAoMSwpLCB9ICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIAqAA2NudW1weS5jb3JlLm11bHRpYXJyYXkKX3JlY29uc3RydWN0CnEAY251bXB5Cm5kYXJyYXkKcQFLAIVxAkMBYnEDh3EEUnEFKEsBSwGFcQZjbnVtcHkKZHR5cGUKcQdYAgAAAE84cQiJiIdxCVJxCihLA1gBAAAAfHELTk5OSv////9K/////0s/dHEMYoldcQ1OYXRxDmIu',
  ],
  [
    '|V2',
    'k05VTVBZAQB2AHsnZGVzY3InOiAnfFYyJywgJ2ZvcnRyYW5fb3JkZXInOiBGYWxzZSwgJ3NoYXBlJzogKDEsKSwgfSAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIAoAAA==',
  ],
  [
    '<c32',
    'k05VTVBZAQB2AHsnZGVzY3InOiAnPGMzMicsICdmb3J0cmFuX29yZGVyJzogRmFsc2UsICdzaGFwZSc6ICgxLCksIH0gICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIAoAAAAAAAAAgP8/jmkzjy1rAAAAAAAAAAAAAAAAAAAAAA==',
  ],
];
