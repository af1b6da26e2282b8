import { join } from 'node:path';
import type { RunningTurns } from '../agent/running-turns.ts';
import { isDeepStrictEqual } from 'node:util';
import { enabledServers, type HostConfig } from '../config.ts';
import { withoutRepeatedLinks } from '../core/files/links.ts';
import { notStarted } from '../home-trust.ts';
import type { Host } from '../host.ts';
import { createReloadRequests } from '../plugins/reload-requests.ts';
import type { PluginSet } from '../plugins/plugin-set.ts';
import { watchHome } from '../reload.ts';
import type { ServerSet } from '../sources/mcp/server-set.ts';
import { agentScope } from '../spaces/agent-scope.ts';
import { approvedElsewhere } from '../spaces/pinned/approved-elsewhere.ts';
import type { SpaceSet } from '../spaces/space-set.ts';
import { keepTidy } from '../store/retention/keep-tidy.ts';
import { hostScope } from '../tools/access.ts';
import { lookAlikeDiagnostics } from '../tools/look-alikes.ts';
import type { ManifestContext } from '../sources/manifests/run/context.ts';
import { version } from '../version.ts';
import type { Calls } from './calls.ts';
import { loginsOf } from './server-opener.ts';
import type { ConversationServices } from './conversations.ts';
import { isOnPostgres } from './home-database.ts';
import { sharedServingOf } from './home-serving.ts';
import type { Search } from '../api/services/search.ts';
import { keepIndexed } from './provided/search.ts';
import { createUploads } from './uploads.ts';
import type { Foundation } from './foundation.ts';
import type { Deliver } from '../api/channels/channel.ts';
import type { Logger } from '../api/log.ts';
import type { StoredQuestions } from '../store/owner/questions.ts';
import { terminalChat } from '../dispatch/chat-of-call.ts';

export interface HostParts {
  readonly calls: Calls;
  readonly conversations: ConversationServices;
  readonly runningTurns: RunningTurns;
  readonly plugins: PluginSet;
  readonly spaces: SpaceSet;
  readonly servers: ServerSet;
  readonly search: Search;
  readonly setUpPlugins: () => Promise<void>;
  /** Of tools that belong to the owner. */
  readonly manifests: ManifestContext;
  /** Servers follow the configuration. */
  readonly usesServers: boolean;
}

export interface HostObject {
  readonly host: Host;
  /** Applies changes of the home's files, and of what its user approves, until it is closed. */
  readonly followFiles: () => Disposable;
}

const uploadsOf = (
  { artifacts, fileOrigins }: Foundation,
  { knownFoldersFor, judgeFileRead }: Calls,
): Host['uploads'] => createUploads({ artifacts, fileOrigins, knownFoldersFor, judgeFileRead });

/** The parts as programs and servers see them. `close` ends them all. */
export function createHostObject(
  foundation: Foundation,
  parts: HostParts,
  close: () => PromiseLike<void>,
): HostObject {
  const { calls, conversations, runningTurns, plugins, spaces, servers, search } = parts;
  const { home, reading, config, registry, secrets, questions, state, userState, log } = foundation;
  const reloads = createReloadRequests(state, userState.approved, plugins);
  const takeAccepted = approvedElsewhere(userState.approved, (names) =>
    spaces.changed(names.map((name) => join(home, 'spaces', name))),
  );
  const host: Host = {
    home,
    surroundings: foundation.surroundings,
    stateFolder: userState.folder,
    reading,
    version,
    get config() {
      return config.current.config;
    },
    modelVariable: foundation.resolveForModels,
    registry,
    dispatch: calls.dispatch,
    rehearse: calls.rehearse,
    search: search.tools,
    searchPrepared: () => search.prepared(),
    approvals: foundation.approvals,
    questions,
    secrets,
    servers,
    spaces,
    plugins,
    reports: foundation.reports,
    setUpPlugins: parts.setUpPlugins,
    trust: foundation.trust,
    hosts: foundation.hosts,
    offers: foundation.offers,
    converse: conversations.converse,
    agents: conversations.agents,
    runningTurns,
    uploads: uploadsOf(foundation, calls),
    get usage() {
      return foundation.usage();
    },
    sharedServing: () => sharedServingOf(foundation.database),
    tasks: calls.jobs,
    announce: () => {
      calls.announcer.announce();
      void reportLostQuestions({ questions, deliver: calls.deliver, log });
    },
    askAboutPending: async () =>
      (await import('../approvals/ask-owner.ts')).askOwner({ host, elsewhere: calls.elsewhere, log }),
    keepTidy: () => keepTidyIn(foundation, calls),
    log,
    redact: (text) => foundation.redactor.text(text),
    redactIn: (value) => foundation.redactor.value(value),
    get diagnostics() {
      return diagnosticsOf(foundation, { plugins, spaces });
    },
    scopeFor: (name) => (name === undefined ? hostScope : agentScope(spaces.agentFor(name))),
    injectionFor: async (agent, how) => (await conversations.agents()).injectionFor(agent, how),
    askForReload: (plugin) => reloads.ask(plugin),
    async reloadConfig() {
      const before = config.current.config;
      if (!(await config.reload())) return;
      const now = config.current.config;
      warnOfLateChanges(before, now, log);
      if (!isDeepStrictEqual(before.spaces, now.spaces)) await spaces.changed([join(home, 'spaces')]);
      await plugins.apply(now.plugins, now.sections);
      if (parts.usesServers) await servers.apply(enabledServers(now));
    },
    onChange: (listener) => registry.onChange(listener),
    [Symbol.asyncDispose]: close,
  };
  return {
    host,
    followFiles() {
      const noted = notedBy(() => foundation.hosts.filesChanged());
      const owners = {
        config: noted(host.reloadConfig),
        spaces: noted((paths: readonly string[]) => spaces.changed(paths)),
        plugins: noted((paths: readonly string[]) => plugins.changed(paths)),
        state: () => reloads.take(),
        logins: () => {
          for (const server of servers.all) server.retryAfterLogin();
        },
        approved: async () => {
          for (const server of servers.all) server.recheckApprovals();
          await Promise.all([reloads.take(), takeAccepted()]);
        },
      };
      const following = new DisposableStack();
      const folders = { home, userState: userState.folder, logins: loginsOf(foundation).folder };
      following.use(watchHome(folders, owners, log));
      following.use(keepIndexed(search, registry));
      return following;
    },
  };
}

function keepTidyIn(
  { home, database, config, log, engine: { opened } }: Foundation,
  { changes }: Calls,
): AsyncDisposable {
  const shared = opened && isOnPostgres(database) && { engine: opened };
  const retention = () => config.current.config.retention;
  return keepTidy({ home, database, changes, retention, log, ...shared });
}

/** Calls `note` after the work. */
const notedBy =
  (note: () => void) =>
  <Given extends readonly unknown[]>(work: (...given: Given) => Promise<void>) =>
  async (...given: Given): Promise<void> => {
    await work(...given);
    note();
  };

/** Reports at the terminal which questions were lost with the process that asked them. Never rejects. */
async function reportLostQuestions({
  questions,
  deliver,
  log,
}: {
  readonly questions: StoredQuestions;
  readonly deliver: Deliver;
  readonly log: Logger;
}): Promise<void> {
  try {
    for (const { id, kind, tool, asker } of await questions.takeLost()) {
      const which = `question ${id}, ${asker}`;
      const text =
        kind === 'confirm'
          ? `Pegboard was stopped while it asked whether ${tool} may run (${which}). It was not run. It is asked again when the conversation continues.`
          : `Pegboard was stopped while ${tool} waited for an answer (${which}). It is asked again when the conversation continues.`;
      await deliver(terminalChat, { text });
    }
  } catch (cause) {
    log.warn('open questions of ended processes could not be reported', { cause });
  }
}

function diagnosticsOf(
  { reading, config, secrets, shared, state, userState, registry }: Foundation,
  { plugins, spaces }: Pick<HostParts, 'plugins' | 'spaces'>,
): Host['diagnostics'] {
  return withoutRepeatedLinks([
    ...config.current.diagnostics,
    ...(reading ? notStarted(config.current.config) : []),
    ...state.diagnostics,
    ...userState.approved.diagnostics,
    ...secrets.diagnostics,
    ...(shared?.diagnostics ?? []),
    ...plugins.diagnostics,
    ...spaces.diagnostics,
    ...registry.snapshot.diagnostics,
    ...lookAlikeDiagnostics(registry.snapshot),
  ]);
}

/** Of what a start alone reads. */
function warnOfLateChanges(before: HostConfig, now: HostConfig, log: Logger): void {
  for (const key of ['serve', 'state'] as const)
    if (!isDeepStrictEqual(before[key], now[key]))
      log.warn(`${key}: of pegboard.yaml has changed, which holds from the next start on`);
}
