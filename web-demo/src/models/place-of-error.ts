// The input, or the node, that an error of a run speaks of.
import type { Model, OnnxError } from 'broadloom';
import type { Place } from '../drafts.js';
import { everyNode, type PlacedNode } from './graphs.js';

/** The name of a node in errors: its own, or its number in its graph. */
function isNamed({ node, path }: PlacedNode, name: string): boolean {
  return (node.name === '' ? `#${path.slice(path.lastIndexOf('.') + 1)}` : node.name) === name;
}

/** Numbers count within a graph, so that several nodes may be meant; then it is none of them. */
export function placeOf({ node: name, operator, message }: OnnxError, { inputs, nodes }: Model): Place {
  if (name !== undefined) {
    const named = everyNode(nodes).filter((placed) => isNamed(placed, name));
    const meant = named.filter(({ node }) => operator === undefined || node.operator === operator);
    return meant[0] !== undefined && meant.length === 1 ? `node:${meant[0].path}` : 'model';
  }
  const index = inputs.findIndex((input) => message.startsWith(`input '${input.name}' `));
  if (index < 0) return 'model';
  return message.includes(' has dims ') ? `feed:${index}:dims` : `feed:${index}`;
}
