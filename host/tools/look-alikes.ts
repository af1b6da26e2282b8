import type { Diagnostic } from '../api/diagnostic.ts';
import type { Snapshot } from '../api/source.ts';
import type { RegisteredTool } from '../api/tool.ts';
import { serverOf } from './names.ts';
import { skeletonOf } from '../core/foreign/look-alike.ts';

/** A tool of an MCP server, and the tool that people and models could mistake it for. */
export interface LookAlike {
  readonly tool: RegisteredTool;
  readonly like: RegisteredTool;
}

const known = new WeakMap<Snapshot, readonly LookAlike[]>();

/** Computed once per snapshot, on demand. Tools with exactly the same name are no look-alikes. */
export function lookAlikesIn(snapshot: Snapshot): readonly LookAlike[] {
  let found = known.get(snapshot);
  if (!found) known.set(snapshot, (found = find(snapshot)));
  return found;
}

function find({ tools }: Snapshot): readonly LookAlike[] {
  const all = [...tools.values()];
  if (!all.some(({ source }) => source.kind === 'mcp')) return [];
  const bySkeleton = Map.groupBy(all, ({ name }) => skeletonOf(name));
  return all.flatMap((tool) => {
    if (tool.source.kind !== 'mcp') return [];
    const like = bySkeleton.get(skeletonOf(tool.name))!.find((other) => imitates(tool, other));
    return like ? [{ tool, like }] : [];
  });
}

/** Of two servers the later one is the imitator; names within one server are not compared. */
function imitates(tool: RegisteredTool, other: RegisteredTool): boolean {
  if (tool.name === other.name || tool.source.id === other.source.id) return false;
  return other.source.kind !== 'mcp' || other.source.id < tool.source.id;
}

/** What a new name could be mistaken for, in words: "it looks like filesystem.read". */
export function resemblance(name: string, module: string, { tools }: Snapshot): string | undefined {
  const skeleton = skeletonOf(name);
  const others = [...tools.values()].filter(
    (other) => other.source.module !== module && skeletonOf(other.name) === skeleton,
  );
  const [like] = others.toSorted((a, b) => Number(a.name === name) - Number(b.name === name));
  if (!like) return undefined;
  return like.name === name ? `${like.id} is called the same` : `it looks like ${like.id}`;
}

export function lookAlikeDiagnostics(snapshot: Snapshot): readonly Diagnostic[] {
  return lookAlikesIn(snapshot).map(({ tool: { name, source }, like }) => ({
    severity: 'warning',
    code: 'look-alike',
    message: `MCP server "${serverOf(source)}": tool "${name}" looks like ${like.id}`,
    hint: `if it is not meant to be there: block: ["${name}"] in mcpServers.${serverOf(source)}`,
  }));
}
