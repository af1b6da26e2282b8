import type { Diagnostic } from '../api/diagnostic.ts';
import type { Verdict } from '../api/hooks.ts';
import type { Logger } from '../api/log.ts';
import type { Registry } from '../api/source.ts';
import type { ToolCall } from '../api/tool.ts';
import type { HookOwner } from '../dispatch/hook-table.ts';
import { agentsOf } from '../tools/limits.ts';
import { checkModules, type ModuleProblem } from './check-modules.ts';
import { modulesOf } from './known-modules.ts';
import type { SpaceAgent } from './space.ts';
import type { SourceDocument } from '../core/documents/document.ts';
import type { WrittenAgent } from '../formats/agent.ts';
import type { WrittenSpace } from '../formats/space.ts';
import { asSentence } from '../core/text/as-sentence.ts';

/** Compares the modules and tools that agents' files name with the registered ones, after each change of either. */
export interface ModuleChecks extends Disposable {
  /** Results of the last completed comparison. */
  readonly diagnostics: readonly Diagnostic[];
  /** Refuses calls of a module whose limits can't be enforced as written. */
  readonly guard: HookOwner;
  /** Compares now and after every change of tools. Resolves when the comparison is up to date. Never rejects. */
  refresh(): Promise<void>;
}

interface ComparedFiles {
  readonly agents: () => readonly SpaceAgent[];
  /** Of spaces: what they block is blocked for all of their agents. */
  readonly manifests: () => readonly SourceDocument[];
}

export function createModuleChecks(
  registry: Registry,
  { agents, manifests }: ComparedFiles,
  log: Logger,
): ModuleChecks {
  let found: ReadonlyMap<string, readonly ModuleProblem[]> = new Map();
  let inLists: readonly Diagnostic[] = [];
  let stale = false;
  let running: Promise<void> | undefined;
  let listening: Disposable | undefined;

  const compare = async (): Promise<void> => {
    const next = new Map<string, readonly ModuleProblem[]>();
    const concerned = agents().filter(namesAny);
    const { snapshot } = registry;
    const blocking = manifests().filter(({ value }) => (value as WrittenSpace).blockedTools !== undefined);
    const modules = concerned.length + blocking.length > 0 ? modulesOf(snapshot) : new Map();
    for (const { agent, document } of concerned) next.set(agent.id, await checkModules(document!, modules));
    found = next;
    const documents = [...concerned.map(({ document }) => document!), ...blocking];
    if (documents.length === 0) inLists = [];
    else {
      const { checkToolLists } = await import('./check-tool-lists.ts');
      inLists = documents.flatMap((document) => checkToolLists(document, snapshot, modules));
    }
  };
  const settle = async (): Promise<void> => {
    while (stale) {
      stale = false;
      await compare().catch((cause: unknown) => log.error('comparing agents with modules failed', { cause }));
    }
    running = undefined;
  };
  const refresh = (): Promise<void> => {
    stale = true;
    listening ??= registry.onChange(() => void refresh());
    return (running ??= settle());
  };
  const judge = async ({ tool, scope }: ToolCall): Promise<Verdict | void> => {
    await running;
    const { module } = tool.source;
    for (const agent of agentsOf(scope)) {
      const problem = found.get(agent)?.find((one) => one.withholds && one.module === module);
      if (problem) return { deny: refusal(problem, agent) };
    }
  };

  return {
    get diagnostics() {
      return [...[...found.values()].flat().map(({ diagnostic }) => diagnostic), ...inLists];
    },
    guard: {
      name: "agents' limits",
      hooks: { preTool: { order: 'pre', handler: judge } },
      appliesTo: (_tool, scope) => scope.identity === 'agent' && agentsOf(scope).length > 0,
    },
    refresh,
    [Symbol.dispose]: () => listening?.[Symbol.dispose](),
  };
}

function namesAny({ agent, document }: SpaceAgent): boolean {
  if (document === undefined) return false;
  const { blockedTools = [], allow_untrusted: allowed = [] } = (document.value ?? {}) as WrittenAgent;
  const lists = blockedTools.length + allowed.length + agent.runtime.directModules.length;
  return agent.modules !== undefined || agent.permissions !== undefined || lists > 0;
}

function refusal({ module, diagnostic }: ModuleProblem, agent: string): string {
  const { path, line, column, message, hint } = diagnostic;
  const why = hint === undefined ? message : `${message} (${hint})`;
  return `The agent ${agent} can't use ${module} until its file is fixed. ${path}:${line}:${column}: ${asSentence(why)}`;
}
