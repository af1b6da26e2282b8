import type { JsonObject } from '../../api/result.ts';
import type { Registry, Scope } from '../../api/source.ts';
import type { RegisteredTool } from '../../api/tool.ts';
import { visible } from '../../tools/access.ts';

/** The tools that one selection of clients sees, in the registry's order. */
export interface ToolList extends Disposable {
  /** As MCP's `tools/list` has them. The same array until something changed. */
  current(): readonly JsonObject[];
  /** Called when the list, as a client would see it, is another one. */
  onChange(listener: () => void): Disposable;
}

export function createToolList(registry: Registry, scope: Scope): ToolList {
  let version: number | undefined;
  let tools: readonly RegisteredTool[] = [];
  let listed: readonly JsonObject[] = [];
  const listeners = new Set<() => void>();

  const refresh = (): boolean => {
    const { snapshot } = registry;
    if (snapshot.version === version) return false;
    version = snapshot.version;
    const next = visible(snapshot, scope);
    const unchanged = next.length === tools.length && next.every((tool, i) => looksSame(tool, tools[i]!));
    tools = next;
    if (unchanged) return false;
    listed = next.map(toListed);
    return true;
  };
  refresh();
  const watching = registry.onChange(() => {
    if (refresh()) for (const listener of listeners) listener();
  });

  return {
    current() {
      refresh();
      return listed;
    },
    onChange(listener) {
      listeners.add(listener);
      return { [Symbol.dispose]: () => void listeners.delete(listener) };
    },
    [Symbol.dispose]: () => watching[Symbol.dispose](),
  };
}

function toListed(tool: RegisteredTool): JsonObject {
  const { wireName, title, description, parameters, outputSchema, annotations, icons, meta } = tool;
  return {
    name: wireName,
    ...(title !== undefined && { title }),
    description,
    inputSchema: parameters,
    ...(outputSchema && { outputSchema }),
    ...(annotations && { annotations }),
    ...(icons && { icons }),
    ...(meta && { _meta: meta }),
  };
}

/** Most tools of a new snapshot share their parts with the last one; only the others are compared as text. */
function looksSame(a: RegisteredTool, b: RegisteredTool): boolean {
  const sameParts =
    a.wireName === b.wireName &&
    a.title === b.title &&
    a.description === b.description &&
    a.parameters === b.parameters &&
    a.outputSchema === b.outputSchema &&
    a.annotations === b.annotations &&
    a.icons === b.icons &&
    a.meta === b.meta;
  return sameParts || JSON.stringify(toListed(a)) === JSON.stringify(toListed(b));
}
