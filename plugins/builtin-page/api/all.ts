import type { Host } from 'pegboard/embed';
import type { Tabs } from '../bridge/tabs.ts';
import type { PageChat } from '../channel/page-chat.ts';
import type { TurnViews } from '../chat/turn-views.ts';
import type { Live } from '../live/live.ts';
import type { Logins } from '../servers/logins.ts';
import type { CallDetails } from '../wire.ts';
import { agentHandlers } from './agents.ts';
import { approvalHandlers } from './approvals.ts';
import { bridgeHandlers } from './bridge.ts';
import { chatHandlers } from './chat.ts';
import { loadedLater, requireProof, textIn, type ApiHandlers } from './handler.ts';
import { homeHandlers } from './home.ts';
import { hostHandlers } from './hosts.ts';
import { manifestHandlers } from './manifests.ts';
import { screenHandlers } from './screens.ts';
import { secretHandlers } from './secrets.ts';
import { serverActHandlers } from './server-acts.ts';
import { serverHandlers } from './servers.ts';
import { settingsHandlers } from './settings.ts';
import { toolHandlers } from './tools.ts';
import { usageHandlers } from './usage.ts';

interface ApiParts {
  readonly chats: PageChat;
  readonly turns: TurnViews;
  readonly tabs: Tabs;
  readonly live: Live;
  readonly logins: Logins;
}

/** Everything that the page may ask for. */
export function handlersOf(host: Host, { chats, turns, tabs, live, logins }: ApiParts): ApiHandlers {
  return {
    ...homeHandlers(host),
    ...hostHandlers(host),
    ...toolHandlers(host),
    ...manifestHandlers(host),
    ...agentHandlers(host),
    ...serverHandlers(host),
    ...serverActHandlers(host, logins),
    // The registry of servers brings 8 MB of code.
    ...loadedLater(
      ['GET registry-search', 'GET registry-entry', 'GET importable', 'POST server-draft', 'POST server-add'],
      async () => (await import('./add-server.ts')).addServerHandlers(host),
    ),
    ...approvalHandlers(host, chats.files, tabs),
    ...bridgeHandlers(tabs),
    ...chatHandlers(host, chats, turns),
    ...screenHandlers(host),
    ...usageHandlers(host),
    ...secretHandlers(host),
    ...settingsHandlers(host, host.stateFolder),
    'GET call': ({ path: [id = ''] }): CallDetails => live.details(id) ?? {},
    'GET proof': ({ session }) => ({ isProven: session.isProven }),
    'GET proven': requireProof,
    'POST proof': ({ session, body }) => ({ isProven: session.prove(textIn(body, 'code')) }),
    'POST sign-out': ({ session }) => session.end(),
  };
}
