import type { Contributions, PluginContext } from 'pegboard';
import type { Allowed } from './access/allowed.ts';
import { pairingCommands } from './access/commands.ts';
import type { Pairing } from './access/pairing.ts';
import type { AskOwner } from './asks/ask-owner.ts';
import { openBotApi, type BotApi } from './bot-api.ts';
import type { TelegramConfig } from './config.ts';
import { nameOf } from './incoming/conversation.ts';
import type { TelegramDatabase } from './tables.ts';
import { askTool } from './tools/ask.ts';
import { pinTools } from './tools/pins.ts';
import { reactTool } from './tools/react.ts';
import { replyToTool } from './tools/reply-to.ts';
import { createLiveTurns, type LiveTurns } from './turns/live-turns.ts';

export interface BotOptions {
  readonly context: PluginContext<TelegramConfig>;
  readonly token: string;
  readonly root: string;
  readonly database: () => Promise<TelegramDatabase>;
  readonly pairing: Pairing;
  readonly allowed: Allowed;
}

/** Shared services for receiving and answering updates. */
export interface BotParts extends Omit<BotOptions, 'token' | 'root'> {
  readonly api: BotApi;
  readonly live: LiveTurns;
  /** Set while updates are received, because only then questions can be answered. */
  readonly owner: { ask?: AskOwner };
}

/** The parts of a bot. Code for receiving, answering and sending is loaded on first use. */
export function createBot({ token, root, ...options }: BotOptions): Contributions {
  const { context, pairing } = options;
  const api = context.own(openBotApi({ token, root }));
  const live = createLiveTurns(nameOf);
  const owner: BotParts['owner'] = {};
  const parts: BotParts = { ...options, api, live, owner };
  return {
    packs: { telegram: [reactTool(live), replyToTool(live), ...pinTools(api), askTool()] },
    services: [
      {
        name: 'telegram',
        async start(signal) {
          const { startAnswering } = await import('./answering.ts');
          return startAnswering(parts, signal);
        },
      },
    ],
    channels: {
      telegram: {
        async deliver(chat, message, signal) {
          const { deliver } = await import('./channel/deliver.ts');
          await deliver(chat, message, signal, { ...parts, signal: context.signal });
        },
        ask: async (question, signal) => await owner.ask?.(question, signal),
      },
    },
    commands: pairingCommands({
      pairing,
      greet: async (user) => {
        await api.raw.sendMessage({ chat_id: user, text: 'You are paired. What can I do for you?' });
      },
    }),
  };
}
