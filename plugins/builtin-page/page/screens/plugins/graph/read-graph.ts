import type { ScreenGraph, ScreenView } from '../../../../screens/wire.ts';
import { textAt } from '../cell.tsx';
import type { Link } from './layout.ts';

interface Node {
  readonly name: string;
  readonly group: string;
  /** Edges that it has. */
  readonly degree: number;
}

export interface Edge extends Link {
  readonly title: string;
  /** The key of the row that says so; empty when none is known. */
  readonly row: string;
}

export interface Graph {
  readonly nodes: readonly Node[];
  readonly edges: readonly Edge[];
  /** Nodes that are not drawn, because there are too many. */
  readonly left: number;
}

/** Nodes that are drawn: those with the most edges. */
const maxNodes = 2_000;

/** Edges between nodes that aren't there are left out. */
export function readGraph({ graph }: ScreenView, { nodes, edges }: ScreenGraph): Graph {
  const { nodes: node, edges: edge } = graph!;
  const degrees = new Map<string, number>();
  const ends = edges.map((one) => [textAt(one, edge.from), textAt(one, edge.to)] as const);
  for (const key of ends.flat()) degrees.set(key, (degrees.get(key) ?? 0) + 1);
  const keyed = nodes
    .map((one) => ({ key: textAt(one, node.key), one }))
    .toSorted((a, b) => (degrees.get(b.key) ?? 0) - (degrees.get(a.key) ?? 0));
  const shown = keyed.slice(0, maxNodes);
  const index = new Map(shown.map(({ key }, at) => [key, at]));
  return {
    nodes: shown.map(({ key, one }) => ({
      name: textAt(one, node.title),
      group: node.group === undefined ? '' : textAt(one, node.group),
      degree: degrees.get(key) ?? 0,
    })),
    edges: edges.flatMap((one, at) => {
      const [from, to] = ends[at]!.map((key) => index.get(key));
      if (from === undefined || to === undefined) return [];
      const row = edge.row === undefined ? '' : textAt(one, edge.row);
      return { from, to, title: textAt(one, edge.title), row };
    }),
    left: keyed.length - shown.length,
  };
}

/** Groups that have a colour of their own. */
const maxGroups = 6;

/** The kinds of its nodes, those with the most nodes first. */
export function groupsOf({ nodes }: Graph): readonly string[] {
  const sizes = new Map<string, number>();
  for (const { group } of nodes) sizes.set(group, (sizes.get(group) ?? 0) + 1);
  return [...sizes.keys()].toSorted((a, b) => sizes.get(b)! - sizes.get(a)!).slice(0, maxGroups);
}
