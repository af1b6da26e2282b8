import { toJson } from 'pegboard';
import type { JsonObject, JsonSchema, Scope, Snapshot } from 'pegboard';
import { admitsModule } from 'pegboard/kit';
import { openSchema, serverInstructions, type ToolPreset, type Upstream } from 'pegboard/serving';
import { createActivity, type Activity } from './http/activity.ts';
import type { Era } from './protocol/exchange.ts';
import { instructionsFor } from './protocol/instructions.ts';
import { defersTools, modeFor, defaultContextTokens } from './calls/modes.ts';
import { upstreamsWith } from './protocol/upstream-items.ts';
import { presetFor, scopeOf, type Selection } from './http/presets.ts';
import type { Correspondence } from './hosts/correspondence.ts';
import { createPrompts, type Prompts } from './protocol/prompts.ts';
import { createResources, type Resources } from './protocol/resources.ts';
import { createMultiRoundRequests, type MultiRoundRequests } from './calls/multi-round-requests.ts';
import type { ServedHost } from './served-host.ts';
import { serverInfoOf } from './protocol/server-info.ts';
import type { Signer } from './http/signer.ts';
import { createTasks, legacyTasksCapability, tasksExtension, type Tasks } from './calls/tasks.ts';
import { createToolList, type ToolList } from './calls/tool-list.ts';

/** What the clients of one selection share: the tools, prompts and resources they see, and notifications about them. */
export interface Endpoint extends Disposable {
  readonly host: ServedHost;
  /** Of its selection, the same on every host. */
  readonly nameOfSelection: string;
  readonly scope: Scope;
  /** The tools that this client sees. */
  toolsFor(client: { readonly name: string }): ToolList;
  /** The schema by which clients call the tool of that name. */
  schemaOf(name: string): JsonSchema | undefined;
  /** For the model of this client, or of one that isn't known yet. */
  instructionsFor(client?: { readonly name: string }): string | undefined;
  readonly prompts: Prompts;
  readonly resources: Resources;
  readonly multiRound: MultiRoundRequests;
  /** Absent where calls can't run in the background. */
  readonly tasks: Tasks | undefined;
  readonly activity: Activity;
  /** MCP's Implementation. */
  serverInfo(): ReturnType<typeof serverInfoOf>;
  /** MCP's ServerCapabilities, always with `listChanged`. */
  capabilities(era: Era): JsonObject;
  onChange(listener: (news: EndpointChange) => void): Disposable;
}

export type EndpointChange =
  | { readonly about: 'tools'; readonly lists: readonly ToolList[] }
  | { readonly about: 'prompts' | 'resources'; readonly session?: string | undefined }
  | { readonly about: 'resource'; readonly uri: string; readonly session?: string | undefined };

/** `hosts`: other servers of the same home, to which a client may go on. Throws PEG_USAGE for an unknown selection. */
export function openEndpoint(
  host: ServedHost,
  selection: Selection,
  signer: Signer,
  hosts?: Correspondence,
): Endpoint {
  const scope = scopeOf(host, selection);
  const { registry, mode, contextWindow = defaultContextTokens } = host;
  const preset = (): ToolPreset => presetFor(host, selection);
  const tools = createToolList(registry, scope, preset, (all) => mode ?? modeFor(contextWindow, all));
  const allTools = mode === undefined ? createToolList(registry, scope, preset, () => 'direct') : tools;
  const resources = createResources(host, scope);
  const nameOfSelection = toJson([selection.preset ?? null, selection.path ?? null]);
  const others = hosts && { ...hosts, selection: nameOfSelection };
  const multiRound = createMultiRoundRequests(signer, others);
  const listeners = new Set<(news: EndpointChange) => void>();
  const tell = (news: EndpointChange): void => {
    for (const listener of listeners) listener(news);
  };
  const owned = new DisposableStack();
  owned.use(multiRound);
  const tasks = host.tasks && owned.use(createTasks(host.tasks, signer, nameOfSelection, hosts));
  const lists = [...new Set([tools, allTools])];
  owned.use(
    registry.onChange(() => {
      const changed = lists.filter((list) => list.hasChanged());
      if (changed.length > 0) tell({ about: 'tools', lists: changed });
    }),
  );
  owned.use(watchUpstreams(host, scope, resources, tell));

  let shownOf: { readonly snapshot: Snapshot; readonly info: ReturnType<typeof serverInfoOf> } | undefined;
  const toolsFor = ({ name }: { readonly name: string }): ToolList => (defersTools(name) ? allTools : tools);

  return {
    host,
    nameOfSelection,
    scope,
    toolsFor,
    schemaOf(name) {
      const real = registry.snapshot.find(name)?.parameters;
      if (tools.mode === 'direct') return real;
      return (tools.find(name)?.['inputSchema'] as JsonSchema | undefined) ?? (real && openSchema);
    },
    instructionsFor(client) {
      const list = client ? toolsFor(client) : tools;
      const sources = registry.snapshot.sources.filter(({ module }) => admitsModule(module, scope));
      return instructionsFor(host.instructions, list, serverInstructions(sources, contextWindow));
    },
    prompts: createPrompts(host, scope),
    resources,
    multiRound,
    tasks,
    activity: createActivity(),
    serverInfo() {
      const { snapshot } = registry;
      if (shownOf?.snapshot !== snapshot) shownOf = { snapshot, info: serverInfoOf(host, scope) };
      return shownOf.info;
    },
    capabilities: (era) => ({
      tools: { listChanged: true },
      ...(era === 'legacy' && { logging: {} }),
      ...(host.tasks &&
        (era === 'legacy' ? { tasks: legacyTasksCapability } : { extensions: { [tasksExtension]: {} } })),
      ...(upstreamsWith(host, scope, 'resources').length > 0 && {
        resources: { listChanged: true, subscribe: true },
      }),
      ...(upstreamsWith(host, scope, 'prompts').length > 0 && { prompts: { listChanged: true } }),
      ...(upstreamsWith(host, scope, 'completions').length > 0 && { completions: {} }),
    }),
    onChange(listener) {
      listeners.add(listener);
      return { [Symbol.dispose]: () => void listeners.delete(listener) };
    },
    [Symbol.dispose]: () => owned.dispose(),
  };
}

/** Listens to the servers of this selection; servers come and go with the registry. */
function watchUpstreams(
  host: ServedHost,
  scope: Scope,
  resources: Resources,
  tell: (news: EndpointChange) => void,
): Disposable {
  const watched = new Map<Upstream, Disposable>();
  const watch = (upstream: Upstream): Disposable =>
    upstream.onEvent((event) => {
      const { session } = event;
      switch (event.type) {
        case 'prompts_changed':
          return tell({ about: 'prompts', session });
        case 'resources_changed':
          return tell({ about: 'resources', session });
        case 'resource_updated':
          return tell({ about: 'resource', uri: resources.publicUri(upstream, event.uri, session), session });
      }
    });
  const refresh = (): boolean => {
    const wanted = new Set([
      ...upstreamsWith(host, scope, 'resources'),
      ...upstreamsWith(host, scope, 'prompts'),
    ]);
    const before = watched.size;
    const gone = [...watched.keys()].filter((upstream) => !wanted.has(upstream));
    for (const upstream of gone) {
      watched.get(upstream)![Symbol.dispose]();
      watched.delete(upstream);
    }
    for (const upstream of wanted) if (!watched.has(upstream)) watched.set(upstream, watch(upstream));
    return gone.length > 0 || watched.size > before;
  };
  refresh();
  const registry = host.registry.onChange(() => {
    if (!refresh()) return;
    tell({ about: 'prompts' });
    tell({ about: 'resources' });
  });
  return {
    [Symbol.dispose]() {
      registry[Symbol.dispose]();
      for (const listening of watched.values()) listening[Symbol.dispose]();
    },
  };
}
