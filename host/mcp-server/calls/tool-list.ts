import type { InjectionMode } from '../../api/agent.ts';
import type { JsonObject } from '../../api/result.ts';
import type { Access, Registry, Scope } from '../../api/source.ts';
import type { RegisteredTool } from '../../api/tool.ts';
import { compactSchema } from '../../tools/injection/compact-schema.ts';
import { oneLine } from '../../tools/injection/compact.ts';
import { withoutAliases } from '../../tools/aliases.ts';
import { visibleTools, type VisibleTools } from '../../tools/visible-tools.ts';
import { executions } from './executions.ts';
import { toJson } from '../../core/documents/written-numbers.ts';

/** The tools that one selection of clients sees, in the registry's order. */
export interface ToolList {
  readonly mode: InjectionMode;
  /** In the format of MCP's `tools/list`. The same array until something changes. */
  current(): readonly JsonObject[];
  /** The entry with that name. */
  find(name: string): JsonObject | undefined;
  /** Whether the list, as a client would see it, has changed since the last call. */
  hasChanged(): boolean;
}

/** `choose` is called again after every change of the registry or of the scope's limits. */
export function createToolList(
  registry: Registry,
  scope: Scope,
  choose: (tools: readonly RegisteredTool[]) => InjectionMode,
): ToolList {
  let version: number | undefined;
  let confines: readonly Access[] = [];
  let mode: InjectionMode | undefined;
  let shown: readonly RegisteredTool[] = [];
  let listed: readonly JsonObject[] = [];
  let changed = false;

  const refresh = (): void => {
    const { snapshot } = registry;
    const { within = [] } = scope;
    const isSame = within.length === confines.length && within.every((one, i) => one === confines[i]);
    if (snapshot.version === version && isSame) return;
    version = snapshot.version;
    confines = within;
    const { domain, meta } = visibleTools(snapshot, scope);
    const tools = { domain: withoutAliases(domain), meta };
    const nextMode = choose(tools.domain);
    const next = shownIn(nextMode, tools);
    const toEntry = entryIn[nextMode];
    const unchanged =
      nextMode === mode &&
      next.length === shown.length &&
      next.every((tool, i) => looksSame(tool, shown[i]!, toEntry));
    mode = nextMode;
    shown = next;
    if (unchanged) return;
    listed = [...next.map(toEntry), ...(mode === 'discovery' ? executions : [])];
    changed = true;
  };
  refresh();
  changed = false;

  return {
    get mode() {
      refresh();
      return mode!;
    },
    current() {
      refresh();
      return listed;
    },
    find(name) {
      refresh();
      return listed.find((entry) => entry['name'] === name);
    },
    hasChanged() {
      refresh();
      const answer = changed;
      changed = false;
      return answer;
    },
  };
}

/** Meta-tools that lead to unlisted tools or to their schemas. The others are for agents of this home. */
const leading: Record<InjectionMode, readonly string[]> = {
  direct: [],
  compact_direct: ['get_tool'],
  discovery: ['search_tools', 'list_categories', 'browse_category', 'get_tool'],
};

function shownIn(mode: InjectionMode, { domain, meta }: VisibleTools): readonly RegisteredTool[] {
  const leaders = leading[mode].flatMap((name) => meta.find((tool) => tool.name === name) ?? []);
  return mode === 'discovery' ? leaders : [...domain, ...leaders];
}

type ToEntry = (tool: RegisteredTool) => JsonObject;

const entryIn: Record<InjectionMode, ToEntry> = {
  direct: toListed,
  compact_direct: toCompactEntry,
  discovery: toListed,
};

function toListed(tool: RegisteredTool): JsonObject {
  const { wireName, title, description, parameters, outputSchema, annotations, icons, execution, meta } =
    tool;
  return {
    name: wireName,
    ...(title !== undefined && { title }),
    description,
    inputSchema: parameters,
    ...(outputSchema && { outputSchema }),
    ...(annotations && { annotations }),
    ...(icons && { icons }),
    ...(execution && { execution }),
    ...(meta && { _meta: meta }),
  };
}

/** Annotations stay, because clients' permissions depend on them. */
function toCompactEntry({ wireName, description, parameters, annotations }: RegisteredTool): JsonObject {
  return {
    name: wireName,
    description: oneLine(description),
    inputSchema: compactSchema(parameters),
    ...(annotations && { annotations }),
  };
}

/** Most tools of a new snapshot share their parts with the last one; only the others are compared as text. */
function looksSame(a: RegisteredTool, b: RegisteredTool, toEntry: ToEntry): boolean {
  const sameParts =
    a.wireName === b.wireName &&
    a.title === b.title &&
    a.description === b.description &&
    a.parameters === b.parameters &&
    a.outputSchema === b.outputSchema &&
    a.annotations === b.annotations &&
    a.icons === b.icons &&
    a.execution === b.execution &&
    a.meta === b.meta;
  return sameParts || toJson(toEntry(a)) === toJson(toEntry(b));
}
