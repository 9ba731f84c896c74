// The tensors that a model holds: its initializers, and the values of its Constant nodes.
import { isConstant } from '../drawing/flat-graph.js';
import { typeRows } from '../facts.js';
import { everyNode, graphPath, type NodePath } from './graphs.js';
import { attributeKey, initializerKey, lookAtAttribute, lookAtInitializer } from './looked.js';
import type { ModelReport, ReportNode } from './protocol.js';
import { infoOf, originOf, readersOf } from './values-of.js';

export interface WeightRow {
  readonly name: string;
  /** The graph that has it: nothing for the model's own. */
  readonly graph: string;
  readonly type: string;
  readonly dims: readonly number[];
  readonly bytes: number;
  /** The file that has the elements, if it is another one. */
  readonly location: string | undefined;
  /** The nodes that read it. */
  readonly readers: readonly NodePath[];
  /** The key of what is looked at when its elements are shown. */
  readonly key: string;
  readonly look: () => void;
}

const known = new WeakMap<ModelReport, readonly WeightRow[]>();

function constantRow(report: ModelReport, path: NodePath, node: ReportNode): WeightRow[] {
  const place = graphPath(path);
  const name = node.outputs[0]?.name ?? '';
  const attribute = node.attributes.find(({ hasElements }) => hasElements);
  const info = infoOf(originOf(report, place, name));
  const dims = info?.dims;
  if (attribute === undefined || !dims?.every((dim): dim is number => typeof dim === 'number')) return [];
  const bits = typeRows.find((row) => row.name === info?.type)?.bits ?? 0;
  const elements = dims.reduce((product, dim) => product * dim, 1);
  return [
    {
      ...{ name, graph: place, type: info?.type ?? '', dims, bytes: Math.ceil((elements * bits) / 8) },
      ...{ location: undefined, readers: readersOf(report, place, name), key: attributeKey(path, attribute.name) },
      look: () => lookAtAttribute(path, attribute.name),
    },
  ];
}

/** All of them, in the order of the file. */
export function weightRows(report: ModelReport): readonly WeightRow[] {
  const made = known.get(report);
  if (made !== undefined) return made;
  const initializers = report.initializers.map(({ name, graph, type, dims, bytes, external }, index): WeightRow => {
    const origin = originOf(report, '', name);
    const isOwn = origin?.kind === 'initializer' && origin.index === index;
    return {
      ...{ name, graph, type, dims, bytes, location: external?.location, key: initializerKey(index) },
      readers: isOwn ? readersOf(report, '', name) : [],
      look: () => lookAtInitializer(index),
    };
  });
  const constants = everyNode(report.nodes).flatMap(({ node, path }) =>
    isConstant(node) ? constantRow(report, path, node) : [],
  );
  const rows = [...initializers, ...constants];
  known.set(report, rows);
  return rows;
}
