// The lines of inspect about attributes, initializers and metadata.
import type { Model, ModelNode, NodeAttribute } from 'broadloom';
import { counted } from '../../shared/counted.js';
import { graphsOf } from './model-file.js';

/** The most elements of a tensor that JSON shows. */
const mostElements = 1024;

/** The longest text of an attribute in a line of a node. */
const longestText = 60;

interface TensorAttribute {
  readonly type: string;
  readonly dims: readonly number[];
}

const isTensor = (value: NodeAttribute): value is NodeAttribute & TensorAttribute =>
  typeof value === 'object' && 'dims' in value && 'type' in value;

const sizeOf = ({ dims }: TensorAttribute): number => dims.reduce((product, dim) => product * dim, 1);

/** A value as JSON can have it: the elements of large tensors stay out. */
function plainAttribute(value: NodeAttribute): unknown {
  if (!isTensor(value)) return value;
  const { type, dims } = value;
  return sizeOf(value) > mostElements ? { type, dims } : { type, dims, data: (value as { data: unknown }).data };
}

/** Nodes as JSON shows them. */
export function plainNodes(nodes: readonly ModelNode[]): unknown[] {
  return nodes.map((node) => ({
    ...node,
    attributes: Object.fromEntries(
      Object.entries(node.attributes).map(([name, value]) => [name, plainAttribute(value)]),
    ),
    ...(node.graphs && {
      graphs: Object.fromEntries(graphsOf(node).map(([name, inner]) => [name, plainNodes(inner)])),
    }),
  }));
}

/** Values that JSON does not have: integers from 2^53 and numbers that are not finite are texts, typed arrays are lists. */
export function replaced(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  return ArrayBuffer.isView(value) ? [...(value as unknown as Iterable<unknown>)] : value;
}

function shortAttribute(value: NodeAttribute): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((one) => shortAttribute(one as NodeAttribute)).join(', ')}]`;
  if (isTensor(value)) return `${value.type} [${value.dims.join(', ')}]`;
  if (typeof value === 'object') return 'type' in value ? String(value.type) : 'sparse tensor';
  return String(value);
}

/** ` {axis: 1, perm: [0, 2, 1]}`; nothing for a node without attributes. Long values are `...`. */
export function attributesText({ attributes, graphs }: ModelNode): string {
  const shown = Object.entries(attributes).filter(([name]) => graphs?.[name] === undefined); // graphs have lines of their own
  const texts = shown.map(([name, value]) => {
    const text = Array.isArray(value) && value.length > longestText ? '' : shortAttribute(value);
    return `${name}: ${text === '' || text.length > longestText ? '...' : text}`;
  });
  return texts.length === 0 ? '' : ` {${texts.join(', ')}}`;
}

/** Rows about the file: only what it says. */
export function metadataRows({ metadata, initializers }: Model): string[][] {
  const { producerName, producerVersion, domain, modelVersion, docString, functions, opsets } = metadata;
  const bytes = initializers.reduce((sum, one) => sum + one.bytes, 0);
  const others = opsets.filter((one) => one.domain !== '');
  const rows: [string, string][] = [
    ['producer', `${producerName} ${producerVersion}`.trim()],
    ['domain', domain],
    ['model version', modelVersion === 0 ? '' : String(modelVersion)],
    ['description', docString.trim().split('\n', 1)[0] ?? ''],
    ['other opsets', others.map((one) => `${one.domain} ${one.version}`).join(', ')],
    ['functions', functions.map(({ name }) => name).join(', ')],
    ['initializers', initializers.length === 0 ? '' : `${initializers.length} (${counted(bytes, 'byte')})`],
    ...Object.entries(metadata.properties).map(([key, value]): [string, string] => [
      key,
      value.split('\n', 1)[0] ?? '',
    ]),
  ];
  return rows.filter(([, text]) => text !== '');
}
