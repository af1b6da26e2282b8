import type { UserFromGetMe } from 'grammy/types';
import { createAskOwner } from './asks/ask-owner.ts';
import { createAsks } from './asks/asks.ts';
import { createAskStore } from './asks/store.ts';
import type { BotParts } from './bot.ts';
import { createButtons } from './channel/buttons.ts';
import { createUpdates } from './inbox/updates.ts';
import { route } from './incoming/router.ts';
import { createMessages } from './outgoing/messages.ts';
import { startService } from './service.ts';
import { runJob } from './turns/run-job.ts';

/** Takes updates and answers them, until it is disposed or `stop` aborts. */
export function startAnswering(
  { context, api, database, pairing, allowed, live, owner }: BotParts,
  stop: AbortSignal,
): AsyncDisposable {
  const { config, log, artifacts, fileOrigins, history, converse } = context;
  const ending = new AbortController();
  const signal = AbortSignal.any([stop, ending.signal]);
  const messages = createMessages(database);
  const updates = createUpdates(database, api.bot, messages);
  const buttons = createButtons(database, api);
  const asks = createAsks({ store: createAskStore(database), api, messages, signal, log });
  const askOwner = createAskOwner(asks, { allowed, config, signal });
  owner.ask = askOwner;
  let me: Pick<UserFromGetMe, 'id' | 'username'> = { id: api.bot, username: '' };
  const common = { api, updates, messages, history, asks, live, allowed, log, signal };

  const running = startService({
    ...common,
    webhook: config.webhook,
    onMe: (found) => void (me = found),
    route: (update, queue) => route(update, { ...common, config, pairing, buttons, queue, me: () => me }),
    run: (job, isThreaded) =>
      runJob(job, isThreaded, {
        ...common,
        converse,
        agent: config.agent,
        files: {
          api,
          artifacts,
          fileOrigins,
          places: () => context.knownFoldersFor(context.agents.scopeFor(config.agent)),
          folder: config.files,
        },
        commands: context,
        username: () => me.username,
      }),
  });
  return {
    async [Symbol.asyncDispose]() {
      if (owner.ask === askOwner) delete owner.ask;
      ending.abort(new DOMException('Pegboard is stopping', 'AbortError'));
      await running;
    },
  };
}
