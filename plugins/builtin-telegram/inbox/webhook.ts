import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Update } from 'grammy/types';
import { asSentence, parseJson, PegboardError, type Clock, type Logger } from 'pegboard';
import { perform } from 'pegboard/channels';
import type { BotApi } from '../bot-api.ts';
import type { WebhookConfig } from '../config.ts';
import type { Take } from './poller.ts';
import { allowedUpdates } from './allowed-updates.ts';

export interface WebhookOptions {
  readonly api: BotApi;
  readonly config: WebhookConfig;
  readonly take: Take;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Bytes. Typical updates have a few thousand. */
const maxUpdateBytes = 1024 * 1024;

/**
 * Listens for updates and registers the webhook, with a new secret for each run. Rejects with PEG_CONFIG when the port is
 * in use. Disposing closes the listener; the webhook stays set, so that Telegram queues updates in the meantime.
 */
export async function listenForUpdates(options: WebhookOptions): Promise<AsyncDisposable> {
  const { api, config, take, signal, clock, log } = options;
  const secret = randomBytes(32).toString('base64url');
  const { pathname } = new URL(config.url);

  const answer = async (request: IncomingMessage): Promise<number> => {
    if (request.method !== 'POST' || request.url !== pathname) return 404;
    if (!isSame(request.headers['x-telegram-bot-api-secret-token'], secret)) return 401;
    const update = await readUpdate(request);
    if (!update) return 400;
    await take([update]);
    return 200;
  };
  const { createServer } = process.getBuiltinModule('node:http');
  const server = createServer((request, response) => {
    answer(request).then(
      (status) => response.writeHead(status, { connection: status === 200 ? 'keep-alive' : 'close' }).end(),
      (cause: unknown) => {
        // Telegram sends it again.
        log.error('an update could not be stored', { cause });
        response.writeHead(500).end();
      },
    );
  });
  server.requestTimeout = 30_000;
  server.listen(config.port, config.host);
  try {
    await once(server, 'listening', { signal });
  } catch (cause) {
    signal.throwIfAborted();
    throw new PegboardError(
      'PEG_CONFIG',
      `Can't listen for updates from Telegram on ${config.host}:${config.port}: ${asSentence((cause as Error).message)} Change plugins.builtin-telegram.config.webhook in pegboard.yaml.`,
      { cause },
    );
  }
  const address = server.address() as { port: number };
  log.info('listening for updates of Telegram', { host: config.host, port: address.port });
  perform(
    () => api.raw.setWebhook({ url: config.url, secret_token: secret, allowed_updates: allowedUpdates }),
    { signal, repeatable: true, clock },
  ).catch((cause: unknown) => {
    if (!signal.aborted) log.error('Telegram refused the webhook', { url: config.url, cause });
  });
  return {
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** Compares in constant time. */
function isSame(given: string | string[] | undefined, secret: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return typeof given === 'string' && timingSafeEqual(digest(given), digest(secret));
}

async function readUpdate(request: IncomingMessage): Promise<Update | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += (chunk as Buffer).length;
    if (size > maxUpdateBytes) return undefined;
    chunks.push(chunk as Buffer);
  }
  try {
    const update = parseJson(Buffer.concat(chunks).toString()) as Partial<Update> | null;
    return Number.isSafeInteger(update?.update_id) ? (update as Update) : undefined;
  } catch {
    return undefined;
  }
}
