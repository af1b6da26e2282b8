import { join } from 'node:path';
import { chatCommandList } from '../agent/commands/table.ts';
import type { Search } from '../api/services/search.ts';
import type { KnownSecrets } from '../api/store/secrets.ts';
import type { ApprovingHost } from '../approvals/pending-approval.ts';
import { packageRoot } from '../core/files/paths.ts';
import type { Host } from '../host.ts';
import type { PluginServices } from '../plugins/context.ts';
import { channelsOf } from '../plugins/deliver.ts';
import type { PluginSet } from '../plugins/plugin-set.ts';
import type { ManifestContext } from '../sources/manifests/run/context.ts';
import { agentScope } from '../spaces/agent-scope.ts';
import type { SpacePins } from '../spaces/pinned/space-pins.ts';
import type { SpaceSet } from '../spaces/space-set.ts';
import { createHistory } from '../store/conversations/history.ts';
import { proofCode } from '../store/owner/tickets.ts';
import { createPluginTables } from '../store/database/plugin-tables.ts';
import type { Calls } from './calls.ts';
import type { ConversationServices } from './conversations.ts';
import type { Foundation } from './foundation.ts';

export interface PluginServicesOptions {
  readonly calls: Calls;
  readonly conversations: ConversationServices;
  readonly plugins: PluginSet;
  readonly spaces: SpaceSet;
  readonly pins: SpacePins;
  readonly search: Search;
  readonly manifests: ManifestContext;
  /** Pending approvals and diagnostics of the whole host. */
  readonly host: ApprovingHost & Pick<Host, 'diagnostics'>;
}

const secretsOf = ({ secrets, redactor }: Foundation): KnownSecrets => ({
  get: (name) => secrets.get(name),
  list: () => secrets.list(),
  set: (name, value, origin) => secrets.set(name, value, origin),
  delete: (name) => secrets.delete(name),
  isIn: ({ buffer, byteOffset, byteLength }) =>
    redactor.isInMemory(Buffer.from(buffer, byteOffset, byteLength)),
});

/** The services that plugins get. All of them work from the first line of `setup` on. */
export function pluginServices(
  foundation: Foundation,
  { calls, conversations, plugins, spaces, search, pins, manifests, host }: PluginServicesOptions,
): PluginServices {
  const { home, surroundings, registry, database } = foundation;
  return {
    home,
    surroundings,
    installation: packageRoot,
    timezone: foundation.timezone,
    development: foundation.development,
    reading: foundation.reading,
    reports: foundation.reports,
    artifacts: foundation.artifacts,
    fileOrigins: foundation.fileOrigins,
    secrets: secretsOf(foundation),
    history: createHistory(database),
    get usage() {
      return foundation.usage();
    },
    log: foundation.log,
    registry,
    manifests,
    resolve: foundation.resolve,
    resolveForSpaces: foundation.resolveForSpaces,
    dispatch: calls.dispatch,
    knownFoldersFor: calls.knownFoldersFor,
    use: (token, how) => plugins.use(token, how),
    all: (point) => plugins.all(point),
    deliver: calls.deliver,
    channels: () => channelsOf(plugins.instances),
    engine: () => foundation.engine.open(),
    converse: conversations.converse,
    async startConversation(key) {
      await (await conversations.agents()).conversations.startNew(key);
    },
    chatCommands: {
      list: chatCommandList,
      run: async (command, place) => await (await conversations.agents()).commands.run(command, place),
    },
    pageCode: () => proofCode(foundation.userState.folder),
    model: async (name, plugin) => (await conversations.agents()).modelNamed(name, plugin),
    embed: (texts, signal) => search.vectors.of(texts, signal),
    speech: foundation.speech,
    databaseOf: (owner, migrations) => createPluginTables(database, owner, migrations),
    agents: {
      agentFor: (id) => spaces.agentFor(id),
      scopeFor: (id) => agentScope(spaces.agentFor(id)),
      async changeIdentity({ folder }, path, content, write) {
        await pins.updateFile(folder, path, content);
        await write();
        await spaces.changed([path]);
      },
    },
    async reload() {
      await Promise.all([plugins.reload(), spaces.changed([join(home, 'spaces')])]);
      const { pendingIn } = await import('../approvals/pending-in-host.ts');
      return {
        problems: host.diagnostics
          .filter(({ severity }) => severity === 'error')
          .map(({ message }) => message),
        pending: pendingIn(host).map(({ id, what }) => `${id} (${what.join(', ')})`),
      };
    },
  };
}
