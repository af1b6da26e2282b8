import {
  type Access,
  type InjectionMode,
  type JsonObject,
  type RegisteredTool,
  type Registry,
  type Scope,
  toJson,
} from 'pegboard';
import { oneLine, visibleTools } from 'pegboard/channels';
import { isMeta, textIsComplete } from 'pegboard/kit';
import {
  compactSchema,
  isListed,
  type ToolPreset,
  type VisibleTools,
  withoutAliases,
} from 'pegboard/serving';
import { executions } from './executions.ts';

/** The tools that one selection of clients sees, in the registry's order. */
export interface ToolList {
  readonly mode: InjectionMode;
  /** Some tools can only be found by searching; the tools that run them are listed. */
  readonly hidesTools: boolean;
  /** In the format of MCP's `tools/list`. The same array until something changes. */
  current(): readonly JsonObject[];
  /** The entry with that name. */
  find(name: string): JsonObject | undefined;
  /** Whether the list, as a client would see it, has changed since the last call. */
  hasChanged(): boolean;
}

/** `choose` is called again after every change of the registry, of the scope's limits or of the preset. */
export function createToolList(
  registry: Registry,
  scope: Scope,
  presetNow: () => ToolPreset,
  choose: (tools: readonly RegisteredTool[]) => InjectionMode,
): ToolList {
  let version: number | undefined;
  let confines: readonly Access[] = [];
  let preset: ToolPreset | undefined;
  let hidesTools = false;
  let mode: InjectionMode | undefined;
  let shown: readonly RegisteredTool[] = [];
  let listed: readonly JsonObject[] = [];
  let changed = false;

  const refresh = (): void => {
    const { snapshot } = registry;
    const { within = [] } = scope;
    const presetBefore = preset;
    preset = presetNow();
    const isSame =
      preset === presetBefore &&
      within.length === confines.length &&
      within.every((one, i) => one === confines[i]);
    if (snapshot.version === version && isSame) return;
    version = snapshot.version;
    confines = within;
    const { domain, meta } = visibleTools(snapshot, scope);
    const all = withoutAliases(domain);
    const listedOnes = all.filter((tool) => isListed(tool, preset!));
    const nextMode = choose(listedOnes);
    const hidesBefore = hidesTools;
    hidesTools = nextMode === 'discovery' || listedOnes.length < all.length;
    const next = shownIn(nextMode, { domain: listedOnes, meta }, hidesTools);
    const toEntry = entryIn[nextMode];
    const unchanged =
      nextMode === mode &&
      hidesTools === hidesBefore &&
      next.length === shown.length &&
      next.every((tool, i) => looksSame(tool, shown[i]!, toEntry));
    mode = nextMode;
    shown = next;
    if (unchanged) return;
    listed = [...next.map(toEntry), ...(hidesTools ? executions : [])];
    changed = true;
  };
  refresh();
  changed = false;

  return {
    get mode() {
      refresh();
      return mode!;
    },
    get hidesTools() {
      refresh();
      return hidesTools;
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
  discovery: [
    'search_tools',
    'list_categories',
    'browse_category',
    'get_tool',
    'run_read_only_script',
    'run_script',
  ],
};

/** Where the preset leaves tools out of direct and compact. */
const leadingToHidden: readonly string[] = ['search_tools', 'get_tool'];

function shownIn(
  mode: InjectionMode,
  { domain, meta }: VisibleTools,
  hidesTools: boolean,
): readonly RegisteredTool[] {
  const names = hidesTools && mode !== 'discovery' ? leadingToHidden : leading[mode];
  const leaders = names.flatMap((name) => meta.find((tool) => tool.name === name) ?? []);
  return mode === 'discovery' ? leaders : [...domain, ...leaders];
}

type ToEntry = (tool: RegisteredTool) => JsonObject;

const entryIn: Record<InjectionMode, ToEntry> = {
  direct: toListed,
  compact_direct: toCompactEntry,
  discovery: toListed,
};

/** For permissions in clients: what it may do depends on the tools that it runs, which ask by themselves. */
const ofScripts = { readOnlyHint: false, destructiveHint: true };

function toListed(tool: RegisteredTool): JsonObject {
  const { wireName, title, description, parameters, outputSchema, icons, execution, meta } = tool;
  const annotations = isMeta(tool) && tool.name === 'run_script' ? ofScripts : tool.annotations;
  return {
    name: wireName,
    ...(title !== undefined && { title }),
    description,
    inputSchema: parameters,
    ...(outputSchema && !textIsComplete(tool) && { outputSchema }),
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
