// Where the values of a graph come from and where they go.
import type { TypeInfo, ValueInfo } from 'broadloom';
import { everyNode, graphPath, graphsOf, holderOf, type NodePath, nodeAt } from './graphs.js';
import type { Ends, InitializerLook, ModelReport, ReportNode } from './protocol.js';

/** Where a value comes from, with the place of the graph that has it. */
export type Origin = { readonly place: string } & (
  | { readonly kind: 'initializer'; readonly index: number; readonly look: InitializerLook }
  | { readonly kind: 'node'; readonly path: NodePath; readonly node: ReportNode; readonly output: number }
  | { readonly kind: 'input'; readonly info: ValueInfo }
);

/** By places of graphs, then by names. */
type Table<T> = Map<string, Map<string, T>>;

interface Values {
  readonly origins: Table<Origin>;
  /** Where a value is read, in inner graphs, too. Made when it is first asked for. */
  readers: Table<NodePath[]> | undefined;
}

function rowsAt<T>(table: Table<T>, place: string): Map<string, T> {
  const rows = table.get(place) ?? new Map<string, T>();
  table.set(place, rows);
  return rows;
}

const noEnds: Ends = { inputs: [], outputs: [] };

/** The inputs and outputs that the graph at a place declares. */
export function endsOf(report: ModelReport, place: string): Ends {
  if (place === '') return report;
  const { path, graph } = holderOf(place);
  const node = nodeAt(report.nodes, path);
  const [attribute] = (node && graphsOf(node)[graph]) ?? [];
  return (attribute !== undefined && node?.ends?.[attribute]) || noEnds;
}

const known = new WeakMap<ModelReport, Values>();

function valuesOf(report: ModelReport): Values {
  const made = known.get(report);
  if (made !== undefined) return made;
  const origins: Table<Origin> = new Map();
  /** Graphs as initializers call theirs: `graph.node[2].then_branch`. */
  const places = new Map([['', '']]);
  const texts = new Map([['', 'graph']]);
  const addInputs = (place: string): void => {
    const rows = rowsAt(origins, place);
    for (const info of endsOf(report, place).inputs) rows.set(info.name, { kind: 'input', place, info });
  };
  addInputs('');
  for (const { node, path } of everyNode(report.nodes)) {
    const place = graphPath(path);
    const rows = rowsAt(origins, place);
    for (const [output, { name }] of node.outputs.entries())
      if (name !== '') rows.set(name, { kind: 'node', place, path, node, output });
    for (const [i, [attribute]] of graphsOf(node).entries()) {
      const inner = `${path}.${i}.`;
      const text = `${texts.get(place)}.node[${path.slice(place.length)}].${attribute}`;
      texts.set(inner, text);
      places.set(text, inner);
      addInputs(inner);
    }
  }
  for (const [index, look] of report.initializers.entries()) {
    const place = places.get(look.graph) ?? '';
    rowsAt(origins, place).set(look.name, { kind: 'initializer', place, index, look });
  }
  const values = { origins, readers: undefined };
  known.set(report, values);
  return values;
}

/** The origin of a value that a node in the graph at `place` reads. */
export function originOf(report: ModelReport, place: string, name: string): Origin | undefined {
  const { origins } = valuesOf(report);
  for (let at = place; ; at = graphPath(holderOf(at).path)) {
    const origin = origins.get(at)?.get(name);
    if (origin !== undefined || at === '') return origin;
  }
}

/** The type and sizes of a value, as far as they are known. */
export function infoOf(origin: Origin | undefined): TypeInfo | undefined {
  if (origin === undefined) return undefined;
  if (origin.kind === 'input') return origin.info;
  if (origin.kind === 'initializer') return origin.look;
  const output = origin.node.outputs[origin.output];
  return output?.inferred ?? output?.declared ?? undefined;
}

function readersIn(report: ModelReport): Table<NodePath[]> {
  const values = valuesOf(report);
  if (values.readers !== undefined) return values.readers;
  const readers: Table<NodePath[]> = new Map();
  for (const { node, path } of everyNode(report.nodes)) {
    const own = graphPath(path);
    for (const input of new Set(node.inputs)) {
      if (input === '') continue;
      const rows = rowsAt(readers, originOf(report, own, input)?.place ?? own);
      const paths = rows.get(input);
      if (paths === undefined) rows.set(input, [path]);
      else paths.push(path);
    }
  }
  values.readers = readers;
  return readers;
}

/** The paths of the nodes that read a value of the graph at `place`, in that graph and in those within it. */
export function readersOf(report: ModelReport, place: string, name: string): readonly NodePath[] {
  return readersIn(report).get(place)?.get(name) ?? [];
}

/** The values of the graph at `place` that graphs within its nodes read, with the numbers of these nodes. */
export function capturedOf(report: ModelReport, place: string): readonly [name: string, number: number][] {
  const rows = [...(readersIn(report).get(place) ?? [])];
  return rows.flatMap(([name, paths]) => {
    const inner = paths.filter((path) => graphPath(path) !== place);
    return [...new Set(inner.map((path) => Number.parseInt(path.slice(place.length), 10)))].map(
      (number) => [name, number] as [string, number],
    );
  });
}
