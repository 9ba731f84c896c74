// Which nodes a filter lets through, in inner graphs, too.
import { everyNode, type GraphNode, graphsOf, type NodePath, type Nodes, tallyOf } from './graphs.js';
import { operatorName } from './operator-name.js';

export interface Filter {
  readonly text: string;
  readonly onlyUnsupported: boolean;
}

/** A node with its number in its graph. */
export interface Row {
  readonly index: number;
  readonly node: GraphNode;
  /** Others are there for what matches in their graphs. */
  readonly isMatch: boolean;
}

/** The part of a graph that a filter leaves. */
export interface Found {
  readonly rows: readonly Row[];
  /** How many nodes match, with those in inner graphs. */
  readonly matches: number;
}

export interface Findings {
  readonly graphs: ReadonlyMap<Nodes, Found>;
  /** The inner graphs that are open unless somebody closes them: all of a small model, and those with a match. */
  readonly open: ReadonlySet<Nodes>;
}

/** How many rows a graph begins with. */
export const firstRows = 50;
/** The most rows that are opened to show matches in them. Further graphs stay closed, and say how many nodes match. */
const mostOpened = 200;

export function isFiltered({ text, onlyUnsupported }: Filter): boolean {
  return onlyUnsupported || text.trim() !== '';
}

/** A filter of nodes by a text: exactly the nodes of an operator if it names one, else all nodes that have it somewhere. */
function matcher(nodes: Nodes, { text, onlyUnsupported }: Filter): (node: GraphNode) => boolean {
  const name = text.trim();
  const part = name.toLowerCase();
  const has = (one: string): boolean => one.toLowerCase().includes(part);
  const isOperator = name !== '' && everyNode(nodes).some(({ node }) => operatorName(node) === name);
  const isNamed = (node: GraphNode): boolean => {
    if (isOperator) return operatorName(node) === name;
    return has(operatorName(node)) || [node, ...node.outputs].some((one) => has(one.name)) || node.inputs.some(has);
  };
  return (node) => (!onlyUnsupported || node.unsupported !== null) && isNamed(node);
}

function findIn(nodes: Nodes, matches: (node: GraphNode) => boolean, graphs: Map<Nodes, Found>): number {
  const rows: Row[] = [];
  let all = 0;
  for (const [index, node] of nodes.entries()) {
    const isMatch = matches(node);
    const inner = graphsOf(node).reduce((sum, [, graph]) => sum + findIn(graph, matches, graphs), 0);
    if (isMatch || inner > 0) rows.push({ index, node, isMatch });
    all += inner + Number(isMatch);
  }
  graphs.set(nodes, { rows, matches: all });
  return all;
}

function openAtFirst(nodes: Nodes, graphs: ReadonlyMap<Nodes, Found>, most: number): ReadonlySet<Nodes> {
  const open = new Set<Nodes>();
  let room = most;
  const visit = (graph: Nodes): void => {
    const rows = graphs.get(graph)?.rows.slice(0, firstRows) ?? [];
    room -= rows.length;
    for (const [, inner] of rows.flatMap(({ node }) => graphsOf(node))) {
      if (room <= 0) return;
      if (graphs.get(inner)?.matches === 0) continue;
      open.add(inner);
      visit(inner);
    }
  };
  visit(nodes);
  return open;
}

let last: { readonly nodes: Nodes; readonly filter: Filter; readonly findings: Findings } | undefined;

/** The nodes that a filter lets through; the same list as before when the filter has not changed. */
export function findNodes(nodes: Nodes, filter: Filter): Findings {
  const { text, onlyUnsupported } = filter;
  const isSame = last?.nodes === nodes && last.filter.text === text && last.filter.onlyUnsupported === onlyUnsupported;
  if (last === undefined || !isSame) {
    const graphs = new Map<Nodes, Found>();
    findIn(nodes, matcher(nodes, filter), graphs);
    const isSmall = tallyOf(nodes).nodes <= firstRows;
    const open = isSmall || isFiltered(filter) ? openAtFirst(nodes, graphs, mostOpened) : new Set<Nodes>();
    last = { nodes, filter, findings: { graphs, open } };
  }
  return last.findings;
}

/** The nodes that are shown of a graph within a node: those that match, or all when it is opened and none matches. */
export function rowsOf(graph: Nodes, { graphs }: Findings): readonly Row[] {
  const found = graphs.get(graph);
  if (found !== undefined && found.matches > 0) return found.rows;
  return graph.map((node, index) => ({ index, node, isMatch: false }));
}

/** The paths of the nodes that match, in the order of the list; none without a filter. */
export function matchesOf(nodes: Nodes, filter: Filter): readonly NodePath[] {
  if (!isFiltered(filter)) return [];
  const matches = matcher(nodes, filter);
  return everyNode(nodes).flatMap(({ node, path }) => (matches(node) ? [path] : []));
}
