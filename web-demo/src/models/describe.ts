// A model as plain data: all that the page shows at once, and no weights.
import type { AttributeMark, ModelNode, NodeAttribute, Operator, OperatorVersion } from 'broadloom';
import { type TypeRow, typeRows, versionOf } from '../facts.js';
import { formatElement } from '../values/format.js';
import type { AttributeLook, ReportNode, Versions } from './protocol.js';

/** The most elements that a text shows, and the most letters of a text. */
const mostShown = 16;
const longestText = 400;

interface Stored {
  readonly type: string;
  readonly dims: readonly number[];
  readonly data: ArrayLike<number | bigint | string>;
}

const isStored = (value: object): value is Stored => 'dims' in value && 'type' in value;

function cut(text: string): string {
  return text.length > longestText ? `${text.slice(0, longestText)}…` : text;
}

const one = (value: unknown): string => {
  if (typeof value === 'string') return JSON.stringify(cut(value));
  return Object.is(value, -0) ? '-0' : String(value);
};

function listText<T>(elements: ArrayLike<T>, text: (element: T) => string): string {
  const shown = Array.from({ length: Math.min(elements.length, mostShown) }, (_, i) => text(elements[i] as T));
  return `[${shown.join(', ')}${elements.length > mostShown ? ', …' : ''}]`;
}

/** Whether an array of elements holds their values: of narrow types it holds bits, of complex ones parts. */
function holdsValues({ kind, bits }: TypeRow): boolean {
  return kind === 'string' || (kind !== 'mini_float' && kind !== 'complex' && bits >= 8);
}

/** A value that is read only when it is asked for is a getter. */
function isLong(object: object, name: string): boolean {
  return Object.getOwnPropertyDescriptor(object, name)?.get !== undefined;
}

function tensorText(tensor: Stored): string {
  const { type, dims } = tensor;
  const head = `${type} [${dims.join(', ')}]`;
  const row = typeRows.find(({ name }) => name === type);
  if (isLong(tensor, 'data') || row === undefined || !holdsValues(row)) return head;
  const text = (element: number | bigint | string): string => cut(formatElement(element, row));
  const { data } = tensor;
  return dims.length === 0 || data.length === 1
    ? `${head} ${Array.from(data, text).join(', ')}`
    : `${head} ${listText(data, text)}`;
}

/** The name of an element type beside its number in TensorProto.DataType. */
function typeName(id: unknown): string {
  const row = typeRows.find((type) => type.id === id);
  return row === undefined ? one(id) : `${id} (${row.name})`;
}

function attributeLook(
  attributes: ModelNode['attributes'],
  name: string,
  version: OperatorVersion | undefined,
): AttributeLook {
  if (isLong(attributes, name)) return { name, text: '[…]', hasElements: true };
  const value = attributes[name] as NodeAttribute;
  if (Array.isArray(value)) return { name, text: listText(value, one), hasElements: value.length > mostShown };
  if (typeof value !== 'object') {
    const isType = version?.attributes.find((row) => row.name === name)?.isDataType;
    const text = isType ? typeName(value) : one(value);
    return { name, text, hasElements: false };
  }
  if ('values' in value) {
    const { values, indices, dims } = value as unknown as { values: Stored; indices: Stored; dims: readonly number[] };
    const parts = `${tensorText(values)} @ ${tensorText(indices)}`;
    return { name, text: `sparse [${dims.join(', ')}]: ${parts}`, hasElements: false };
  }
  if (isStored(value)) return { name, text: tensorText(value), hasElements: true };
  return { name, text: (value as { type: string }).type, hasElements: false };
}

/** The version of a node, by which its rows are found. */
export function versionKey({ operator, version }: Pick<ModelNode, 'operator' | 'version'>): string {
  return `${operator}-${version}`;
}

/** Nodes and rows of the versions that they have. */
export function describeNodes(
  nodes: readonly ModelNode[],
  operators: readonly Operator[],
): { nodes: ReportNode[]; versions: Versions } {
  const rows = new Map(operators.map((operator) => [operator.name, operator]));
  const versions: { [version: string]: OperatorVersion } = {};
  const describe = (list: readonly ModelNode[]): ReportNode[] =>
    list.map(({ attributes, graphs, ...node }) => {
      const operator = node.domain === '' && node.version !== null ? rows.get(node.operator) : undefined;
      const version = operator && versionOf(operator, node.version ?? 0);
      if (version !== undefined) versions[versionKey(node)] = version;
      const inner = Object.entries(graphs ?? {}).map(([name, graph]) => [name, describe(graph)] as const);
      const ends = inner.map(([name]) => {
        const { inputs = [], outputs = [] } = attributes[name] as AttributeMark;
        return [name, { inputs, outputs }] as const;
      });
      return {
        ...node,
        attributes: Object.keys(attributes)
          .filter((name) => graphs?.[name] === undefined)
          .map((name) => attributeLook(attributes, name, version)),
        ...(graphs === undefined ? {} : { graphs: Object.fromEntries(inner), ends: Object.fromEntries(ends) }),
      };
    });
  return { nodes: describe(nodes), versions };
}
