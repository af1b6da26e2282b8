import { spelledOut } from '../../../parts/hidden-text.tsx';
import { groupsOf, type Graph } from './read-graph.ts';
import type { Layout } from './layout.ts';

/** What part of the graph is seen, and how large. */
export interface View {
  /** In the middle of the canvas. */
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

/** CSS pixels. */
export const radiusOf = (degree: number): number => 3.5 + Math.min(9, Math.sqrt(degree) * 1.6);

const maxLabel = 32;
/** Pixels that a label takes at least: where one is, no other is written. */
const labelHeight = 14;

/** The whole graph, with a margin. */
export function wholeGraph({ x, y }: Layout, width: number, height: number): View {
  if (x.length === 0) return { x: 0, y: 0, scale: 1 };
  const [left, right] = [x.reduce((a, b) => Math.min(a, b)), x.reduce((a, b) => Math.max(a, b))];
  const [top, bottom] = [y.reduce((a, b) => Math.min(a, b)), y.reduce((a, b) => Math.max(a, b))];
  const scale = Math.min(width / (right - left + 160), height / (bottom - top + 100), 2);
  return { x: (left + right) / 2, y: (top + bottom) / 2, scale };
}

export function draw(
  canvas: HTMLCanvasElement,
  graph: Graph,
  layout: Layout,
  view: View,
  chosen: number | undefined,
  /** Of the groups, in order. */
  colours: readonly string[],
): void {
  const ratio = devicePixelRatio;
  const { clientWidth: width, clientHeight: height } = canvas;
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  const to = canvas.getContext('2d')!;
  // Its style has the colours: a canvas understands no variables.
  const style = getComputedStyle(canvas);
  const groups = groupsOf(graph);
  const near = new Set(chosen === undefined ? [] : [chosen, ...neighbours(graph, chosen)]);
  const at = (node: number): readonly [number, number] => [
    (layout.x[node]! - view.x) * view.scale + width / 2,
    (layout.y[node]! - view.y) * view.scale + height / 2,
  ];
  to.scale(ratio, ratio);
  for (const isStrong of [false, true]) {
    to.beginPath();
    for (const { from, to: end } of graph.edges) {
      if ((from === chosen || end === chosen) !== isStrong) continue;
      to.moveTo(...at(from));
      to.lineTo(...at(end));
    }
    to.strokeStyle = isStrong ? style.caretColor : style.borderTopColor;
    to.lineWidth = isStrong ? 1.5 : 1;
    to.stroke();
  }
  for (const [node, { group, degree }] of graph.nodes.entries()) {
    to.globalAlpha = chosen === undefined || near.has(node) ? 1 : 0.3;
    to.beginPath();
    to.arc(...at(node), radiusOf(degree), 0, Math.PI * 2);
    to.fillStyle = colours[groups.indexOf(group)] ?? style.color;
    to.fill();
  }
  to.globalAlpha = 1;
  label(to, graph, at, { width, height, near, style });
}

interface Labels {
  readonly width: number;
  readonly height: number;
  readonly near: ReadonlySet<number>;
  readonly style: CSSStyleDeclaration;
}

/** Names of the chosen node and its neighbours first, then of those with the most edges, as far as there is room. */
function label(
  to: CanvasRenderingContext2D,
  { nodes }: Graph,
  at: (node: number) => readonly [number, number],
  { width, height, near, style }: Labels,
): void {
  to.font = `12px ${style.fontFamily}`;
  to.textBaseline = 'middle';
  to.lineWidth = 3;
  to.strokeStyle = style.backgroundColor;
  to.fillStyle = style.color;
  const taken: (readonly [x: number, y: number, width: number])[] = [];
  const order = near.size > 0 ? [...near] : nodes.keys();
  for (const node of order) {
    if (taken.length >= 150) return;
    const { name, degree } = nodes[node]!;
    const [x, y] = at(node);
    if (x < 0 || y < 0 || x > width || y > height) continue;
    const shown = spelledOut(name.length > maxLabel ? `${name.slice(0, maxLabel)}…` : name);
    const start = x + radiusOf(degree) + 3;
    const wide = to.measureText(shown).width;
    const isFree = taken.every(
      ([left, top, size]) => Math.abs(top - y) > labelHeight || left > start + wide || left + size < start,
    );
    if (!isFree) continue;
    taken.push([start, y, wide]);
    to.strokeText(shown, start, y);
    to.fillText(shown, start, y);
  }
}

const neighbours = ({ edges }: Graph, node: number): readonly number[] =>
  edges.flatMap(({ from, to }) => (from === node ? to : to === node ? from : []));
