// Where the values of a graph come from and where they go.
import { everyNode, graphAt, type NodePath } from './graphs.js';
import type { InitializerLook, ModelReport, ReportNode } from './protocol.js';

export type Origin =
  | { readonly kind: 'initializer'; readonly index: number; readonly look: InitializerLook }
  | { readonly kind: 'node'; readonly path: NodePath; readonly node: ReportNode; readonly output: number }
  | { readonly kind: 'input' }
  | undefined;

interface Values {
  /** By graph, then by name. */
  readonly makers: ReadonlyMap<string, ReadonlyMap<string, { readonly index: number; readonly output: number }>>;
  readonly initializers: ReadonlyMap<string, number>;
}

const known = new WeakMap<ModelReport, Values>();

function valuesOf(report: ModelReport): Values {
  let values = known.get(report);
  if (values === undefined) {
    const makers = new Map<string, Map<string, { index: number; output: number }>>();
    for (const { node, path } of everyNode(report.nodes)) {
      const place = path.slice(0, path.lastIndexOf('.') + 1);
      const graph = makers.get(place) ?? new Map();
      makers.set(place, graph);
      const index = Number(path.slice(place.length));
      for (const [output, { name }] of node.outputs.entries()) graph.set(name, { index, output });
    }
    values = { makers, initializers: new Map(report.initializers.map(({ name }, i) => [name, i])) };
    known.set(report, values);
  }
  return values;
}

/** The place of the graph around one: nothing for the model's own, and for what is around that. */
function outerOf(place: string): string | undefined {
  if (place === '') return undefined;
  const [, outer] = /^(.*?)\d+\.\d+\.$/.exec(place) ?? [];
  return outer;
}

/** The origin of a value that a node in the graph at `place` reads. */
export function originOf(report: ModelReport, place: string, name: string): Origin {
  const { makers, initializers } = valuesOf(report);
  for (let at: string | undefined = place; at !== undefined; at = outerOf(at)) {
    const maker = makers.get(at)?.get(name);
    const node = maker && graphAt(report.nodes, at)?.[maker.index];
    if (maker !== undefined && node !== undefined) {
      return { kind: 'node', path: `${at}${maker.index}`, node, output: maker.output };
    }
  }
  const index = initializers.get(name);
  const look = index === undefined ? undefined : report.initializers[index];
  if (index !== undefined && look !== undefined) return { kind: 'initializer', index, look };
  return report.inputs.some((input) => input.name === name) ? { kind: 'input' } : undefined;
}

/** The paths of the nodes of a graph that read a value of it. */
export function readersOf(report: ModelReport, place: string, name: string): NodePath[] {
  const nodes = graphAt(report.nodes, place) ?? [];
  return nodes.flatMap(({ inputs }, i) => (inputs.includes(name) ? [`${place}${i}`] : []));
}
