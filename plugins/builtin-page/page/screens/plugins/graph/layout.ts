/** Places nodes so that linked ones are near each other, in steps that a caller spreads over time. */

export interface Link {
  readonly from: number;
  readonly to: number;
}

export interface Layout {
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** Works for about so many milliseconds. False: there is nothing left to do. */
  step(ms: number): boolean;
}

/** The distance of linked nodes. */
const length = 60;
/** Cells on each side of the grid by which far nodes are summed up. */
const cells = 16;
/** How strongly nodes are drawn to the middle: those without links would drift away. */
const linkedGravity = 0.08;
const aloneGravity = 0.6;
const goldenAngle = Math.PI * (3 - Math.sqrt(5));

/** The same graph is always placed the same way. After Fruchterman and Reingold, "Graph drawing by force-directed placement" (1991). */
export function createLayout(count: number, links: readonly Link[]): Layout {
  const x = new Float64Array(count);
  const y = new Float64Array(count);
  for (let node = 0; node < count; node++) {
    const radius = length * 0.6 * Math.sqrt(node + 0.5);
    x[node] = radius * Math.cos(node * goldenAngle);
    y[node] = radius * Math.sin(node * goldenAngle);
  }
  const gravity = new Float64Array(count).fill(aloneGravity);
  for (const { from, to } of links) gravity[from] = gravity[to] = linkedGravity;
  const moveX = new Float64Array(count);
  const moveY = new Float64Array(count);
  const rounds = count > 1_000 ? 100 : 250;
  let round = 0;
  const isDone = (): boolean => count === 0 || round >= rounds;
  const turn = (): void => {
    moveX.fill(0);
    moveY.fill(0);
    repel(x, y, moveX, moveY);
    attract(links, x, y, moveX, moveY);
    const furthest = length * 2 * (1 - round / rounds) + 0.5;
    for (let node = 0; node < count; node++) {
      const pullX = moveX[node]! - x[node]! * gravity[node]!;
      const pullY = moveY[node]! - y[node]! * gravity[node]!;
      const size = Math.hypot(pullX, pullY) || 1;
      const by = Math.min(size, furthest) / size;
      x[node]! += pullX * by;
      y[node]! += pullY * by;
    }
    round++;
  };
  return {
    x,
    y,
    step(ms) {
      const end = performance.now() + ms;
      do turn();
      while (!isDone() && performance.now() < end);
      return !isDone();
    },
  };
}

/** Nodes in the same or a neighbouring cell push each other, those of a cell further away push together. */
function repel(x: Float64Array, y: Float64Array, moveX: Float64Array, moveY: Float64Array): void {
  const grid = gridOf(x, y);
  for (let node = 0; node < x.length; node++) {
    const own = grid.cellOf[node]!;
    const [column, line] = [own % cells, Math.floor(own / cells)];
    for (const cell of grid.used) {
      const isNear = Math.abs((cell % cells) - column) <= 1 && Math.abs(Math.floor(cell / cells) - line) <= 1;
      const { members, x: sumX, y: sumY } = grid.sums[cell]!;
      if (!isNear) push(node, sumX / members.length, sumY / members.length, members.length);
      else for (const other of members) if (other !== node) push(node, x[other]!, y[other]!, 1);
    }
  }
  function push(node: number, fromX: number, fromY: number, weight: number): void {
    const dx = x[node]! - fromX;
    const dy = y[node]! - fromY;
    const square = Math.max(dx * dx + dy * dy, 1);
    const by = (weight * length * length) / square;
    moveX[node]! += dx * by;
    moveY[node]! += dy * by;
  }
}

interface Cell {
  readonly members: number[];
  x: number;
  y: number;
}

function gridOf(x: Float64Array, y: Float64Array) {
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let node = 0; node < x.length; node++) {
    left = Math.min(left, x[node]!);
    right = Math.max(right, x[node]!);
    top = Math.min(top, y[node]!);
    bottom = Math.max(bottom, y[node]!);
  }
  const width = (right - left) / cells || 1;
  const height = (bottom - top) / cells || 1;
  const sums: (Cell | undefined)[] = Array.from({ length: cells * cells });
  const cellOf = new Int32Array(x.length);
  const used: number[] = [];
  for (let node = 0; node < x.length; node++) {
    const column = Math.min(cells - 1, Math.floor((x[node]! - left) / width));
    const line = Math.min(cells - 1, Math.floor((y[node]! - top) / height));
    const at = line * cells + column;
    if (!sums[at]) {
      sums[at] = { members: [], x: 0, y: 0 };
      used.push(at);
    }
    const cell = sums[at];
    cell.members.push(node);
    cell.x += x[node]!;
    cell.y += y[node]!;
    cellOf[node] = at;
  }
  return { sums, cellOf, used };
}

function attract(
  links: readonly Link[],
  x: Float64Array,
  y: Float64Array,
  moveX: Float64Array,
  moveY: Float64Array,
): void {
  for (const { from, to } of links) {
    const dx = x[to]! - x[from]!;
    const dy = y[to]! - y[from]!;
    const by = Math.hypot(dx, dy) / length;
    moveX[from]! += dx * by;
    moveY[from]! += dy * by;
    moveX[to]! -= dx * by;
    moveY[to]! -= dy * by;
  }
}
