import { delimiter, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { User } from '../core/platform/places.ts';
import type { Agent } from '../api/agent.ts';
import type { FileMentions, KnownFoldersFor, ListedRoot, Project } from '../api/known-folders.ts';
import type { Registry } from '../api/source.ts';
import { interpolate } from '../core/documents/interpolate.ts';
import { PegboardError } from '../core/errors.ts';
import type { createNameFinder } from '../core/files/named-files.ts';
import { isWithin, realPathOf } from '../core/files/paths.ts';
import { foldersWithoutCaller } from '../core/files/known-folders.ts';
import { codePaths } from '../core/files/write-boundary.ts';
import type { PluginInstance } from '../plugins/instance.ts';
import type { McpServerConfig } from '../sources/mcp/config.ts';

export interface KnownFoldersOptions {
  readonly home: string;
  readonly user: User;
  readonly registry: Registry;
  readonly plugins: () => readonly Pick<PluginInstance, 'roots' | 'mentions'>[];
  readonly agents: () => readonly Agent[];
  /** Throws for an agent that is unknown or has errors. */
  readonly agentFor: (id: string | undefined) => Agent;
  readonly servers: () => readonly McpServerConfig[];
  /** The value of a `${NAME}`. */
  readonly resolve: (name: string) => string | undefined;
}

/** Where the acting agent or owner may write, as the home's files say now. */
export function createKnownFolders(options: KnownFoldersOptions): KnownFoldersFor {
  const { home, user, plugins, agents, agentFor } = options;
  let finder: ReturnType<typeof createNameFinder> | undefined;
  return async (scope, workplace) => {
    const base = foldersWithoutCaller(home, user);
    const roots = withProject(
      plugins().flatMap((plugin) => plugin.roots()),
      workplace?.project,
    );
    const own = ownWorkspace(() => workspaceOf(base.home, home, agentFor(scope.agent)));
    const workspaces = own === undefined ? [] : [own];
    const all = agents().flatMap((agent) => workspaceOf(base.home, home, agent) ?? []);
    const areas = [base.home, ...roots.map(({ path }) => path), ...workspaces, ...all];
    finder ??= (await import('../core/files/named-files.ts')).createNameFinder(user.userHome);
    const named = finder(await mentionsIn(options), { areas, settled: codePaths(base) });
    return {
      ...base,
      workspaces,
      roots,
      ...named,
      named: [...named.named, ...programFolders(base.home, user)],
    };
  };
}

/** A folder that the owner has listed keeps its own setting. */
const withProject = (roots: readonly ListedRoot[], project: Project | undefined): readonly ListedRoot[] =>
  !project || roots.some(({ path }) => path === project.root)
    ? roots
    : [...roots, { path: project.root, write: project.write ?? 'ask' }];

/** Folders on the PATH, `~/bin` for instance, except those that contain the home. */
const programFolders = (home: string, { env }: User): readonly string[] =>
  (env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => isAbsolute(folder))
    .map(realPathOf)
    .filter((folder) => !isWithin(folder, home));

/** An agent with errors may write nowhere. */
function ownWorkspace(find: () => string | undefined): string | undefined {
  try {
    return find();
  } catch (cause) {
    if (cause instanceof PegboardError) return undefined;
    throw cause;
  }
}

/** The expected path, to be opened without following links. Undefined for a space that is elsewhere. */
function workspaceOf(real: string, home: string, { folder }: Agent): string | undefined {
  const way = relative(home, folder);
  return way.split(sep)[0] === '..' || isAbsolute(way) ? undefined : join(real, way, 'workspace');
}

async function mentionsIn(options: KnownFoldersOptions): Promise<readonly FileMentions[]> {
  const { home, registry, plugins, agents, servers, resolve: variable } = options;
  const tools = [...registry.snapshot.tools.values()].flatMap(({ mentions }) => mentions ?? []);
  const kept = await Promise.all(plugins().map(async (plugin) => plugin.mentions()));
  const filledIn = (text: string): string => interpolate(text, variable).text;
  return [
    ...tools,
    ...kept.flat(),
    ...agents().map(inAgent),
    ...servers().map(({ command = '', args = [], env = {}, cwd = '.' }) => ({
      texts: [command, ...args, ...Object.values(env)].map(filledIn),
      folders: [resolve(home, filledIn(cwd))],
    })),
  ];
}

/** Its hooks and set-up steps. */
function inAgent({ folder, hooks, modules }: Agent): FileMentions {
  const all = [...(hooks.pre_tool ?? []), ...(hooks.post_tool ?? [])];
  const steps = [...(modules?.values() ?? [])].flatMap(({ setup }) => setup.map(({ params }) => params));
  return { texts: [...all.map(({ command }) => command), ...steps.flatMap(textsIn)], folders: [folder] };
}

/** Every text in a value. */
const textsIn = (value: unknown): readonly string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(textsIn)
      : [];
