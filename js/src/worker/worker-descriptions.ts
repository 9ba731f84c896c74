// A model's descriptions and results as plain data, which messages can have.

import type { NodeAttribute } from '../model/attributes.js';
import type { Model } from '../model/model.js';
import type { ModelNode } from '../model/nodes.js';
import type { Tensor } from '../tensor/tensor.js';
import type { LargeAttribute } from './remote-protocol.js';

type Path = readonly (string | number)[];

const isComputed = (on: object, name: string) => Object.getOwnPropertyDescriptor(on, name)?.get !== undefined;

/** Whether a part of the tensor is read when it is asked for. */
function isLarge(value: NodeAttribute): boolean {
  if (typeof value !== 'object' || Array.isArray(value)) return false;
  return isComputed(value, 'data') || Object.values(value).some((part) => typeof part === 'object' && isLarge(part));
}

function plainAttribute(attributes: ModelNode['attributes'], name: string, path: Path): NodeAttribute | LargeAttribute {
  if (isComputed(attributes, name)) return { large: [...path, name], type: null, dims: null };
  const value = attributes[name] as NodeAttribute;
  if (!isLarge(value)) return value;
  const { type, dims, values } = value as { type?: string; dims: readonly number[]; values?: { type: string } };
  return { large: [...path, name], type: type ?? values?.type ?? null, dims };
}

/** The nodes, without the attributes that are read when they are asked for. */
export function nodesOf(nodes: readonly ModelNode[], path: Path = []): unknown[] {
  return nodes.map((node, i) => {
    const { attributes, graphs } = node;
    const plain = Object.keys(attributes).map((name) => [name, plainAttribute(attributes, name, [...path, i])]);
    const inner = Object.entries(graphs ?? {}).map(([name, list]) => [name, nodesOf(list, [...path, i, name])]);
    return { ...node, attributes: Object.fromEntries(plain), ...(graphs && { graphs: Object.fromEntries(inner) }) };
  });
}

/** The attribute at a path: numbers of nodes and names of graphs in turn, then its name. */
export function attributeAt(nodes: readonly ModelNode[], path: Path): NodeAttribute | undefined {
  const [i, name, ...rest] = path as [number, string, ...Path];
  const node = nodes[i];
  return rest.length === 0 ? node?.attributes[name] : attributeAt(node?.graphs?.[name] ?? [], rest);
}

/** The initializers, without `read`. */
export function initializersOf({ initializers }: Model): unknown[] {
  return initializers.map(({ read, ...told }) => told);
}

/** Tensors as messages, in lists, maps and objects, too. Their buffers join `buffers`. */
export function plainOf(value: unknown, buffers: ArrayBuffer[]): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if ('toMessage' in value) {
    const message = (value as Tensor).toMessage();
    if (ArrayBuffer.isView(message.data)) buffers.push(message.data.buffer);
    return message;
  }
  if (Array.isArray(value)) return value.map((one) => plainOf(one, buffers));
  if (value instanceof Map) return new Map([...value].map(([key, one]) => [key, plainOf(one, buffers)]));
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plainOf(one, buffers)]));
}
