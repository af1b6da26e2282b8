import type { Agent } from 'node:http';
import type { RawApi } from 'grammy';
import type { Clock } from 'pegboard';
import { openDeadline, readDownload, type Deadline, type AccountAccess } from 'pegboard/channels';
import { failureOf } from './failure.ts';

/** Telegram's methods. What fails throws a ChannelFailure. */
export interface BotApi {
  /** The bot's own id, which its token begins with. */
  readonly bot: number;
  readonly raw: RawApi;
  /** For uploads and other slow calls. */
  readonly uploads: RawApi;
  /** For getUpdates only: uses its own connection, which is closed as soon as it hangs. */
  readonly polling: RawApi;
  /** A file's content; `path` is returned by getFile. Throws when the download fails. */
  download(path: string, limit: number, signal: AbortSignal): Promise<Buffer>;
}

/** Seconds that Telegram waits for an update before it returns an empty list. */
export const pollSeconds = 4;
/** Seconds after which a poll has failed. */
const pollLimit = pollSeconds + 3;
const callTimeoutSeconds = 30;
const uploadTimeoutSeconds = 180;
/** Milliseconds after which an idle connection is closed, because it may be dead. */
const idleTimeoutMs = 10_000;

/** grammY is loaded by the first call, so that commands that don't use Telegram start faster. */
export function openBotApi({ token, root: apiRoot }: AccountAccess, clock: Clock): BotApi & Disposable {
  // Importing them would load Node's `fetch` for every command.
  const { Agent } = process.getBuiltinModule(apiRoot.startsWith('https:') ? 'node:https' : 'node:http');
  const calling = new Agent({ keepAlive: true, timeout: idleTimeoutMs });
  const polling = new Agent({ keepAlive: true, maxSockets: 1 });
  const open = (timeoutSeconds: number, agent: Agent): RawApi =>
    lazily(
      async () => {
        const { Api } = await import('grammy');
        return new Api(token, { apiRoot, baseFetchConfig: { agent, compress: true } });
      },
      (given) => openDeadline(timeoutSeconds * 1000, given, clock),
    );
  return {
    bot: Number(token.split(':')[0]),
    raw: open(callTimeoutSeconds, calling),
    uploads: open(uploadTimeoutSeconds, calling),
    polling: open(pollLimit, polling),
    async download(path, limit, signal) {
      const all = AbortSignal.any([signal, AbortSignal.timeout(uploadTimeoutSeconds * 1000)]);
      return await readDownload(await fetch(`${apiRoot}/file/bot${token}/${path}`, { signal: all }), limit);
    },
    [Symbol.dispose]() {
      calling.destroy();
      polling.destroy();
    },
  };
}

/** The raw API treats every property as a method, even `then`, so a promise of it must wrap it in an object. */
function lazily(
  open: () => Promise<{ readonly raw: RawApi }>,
  limit: (given: AbortSignal | undefined) => Deadline,
): RawApi {
  let opening: Promise<{ readonly raw: RawApi }> | undefined;
  type Method = (...args: readonly unknown[]) => Promise<unknown>;
  const call =
    (method: keyof RawApi): Method =>
    async (...args) => {
      const { raw } = await (opening ??= open());
      const last = args.at(-1);
      const [given, rest] = last instanceof AbortSignal ? [last, args.slice(0, -1)] : [undefined, args];
      using deadline = limit(given);
      try {
        return await (raw[method] as Method)(...rest, deadline.signal);
      } catch (cause) {
        throw failureOf(deadline.signal.aborted ? deadline.signal.reason : cause);
      }
    };
  return new Proxy({} as RawApi, { get: (_target, method) => call(method as keyof RawApi) });
}
