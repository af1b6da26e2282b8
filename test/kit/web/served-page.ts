import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHost } from '../../../host/create-host.ts';
import type { Host, HostOptions } from '../../../host/host.ts';
import { serveWeb } from '../../../plugins/builtin-page/serve-web.ts';
import { proofCode } from '../../../host/store/owner/tickets.ts';
import { pageLink } from '../../../plugins/builtin-page/session/served-page.ts';
import { HttpPage, type ServedPage as Web } from '../../../host/cli/serving/tokens.ts';
import type { LiveEvent } from '../../../plugins/builtin-page/wire.ts';
import { sendRaw, type RawAnswer } from '../servers/raw-http.ts';
import { createHome, type TestHome } from '../homes/home.ts';

/** What a browser that is signed in sends. */
interface SignedIn {
  readonly cookie: string;
  readonly key: string;
}

interface Asked {
  readonly status: number;
  readonly body: never;
}

/** A host of a new home, and its page on a port of its own. */
export interface ServedPage extends AsyncDisposable {
  readonly host: Host;
  readonly home: TestHome;
  readonly stateFolder: string;
  readonly origin: string;
  readonly port: number;
  /** The page is gone, as when its process has ended. */
  stopServing(): Promise<void>;
  /** A link as `pegboard dashboard` prints it. */
  link(): string;
  /** A code as `pegboard dashboard code` prints it. */
  code(): string;
  signIn(): Promise<SignedIn>;
  /** A request of the page's own; `changes` replace headers, and undefined removes one. */
  ask(path: string, options?: AskOptions): Promise<Asked>;
  /** The events of one stream, until the signal aborts or the host ends it. */
  events(signal: AbortSignal, options?: EventOptions): AsyncGenerator<LiveEvent & { readonly id: string }>;
}

interface EventOptions {
  /** The id of the last event that is known. */
  readonly after?: string;
  readonly session?: SignedIn;
  /** Of another server of the same home. */
  readonly origin?: string;
}

interface AskOptions {
  /** Makes it a POST. Texts and bytes are sent as they are, everything else as JSON. */
  readonly body?: unknown;
  readonly session?: SignedIn;
  readonly changes?: { readonly [header: string]: string | undefined };
}

export const openWeb = async (host: Host): Promise<Web> =>
  (await host.plugins.use(HttpPage)((pages) => pages.open(host)))!;

export async function servePage(
  files: { readonly [file: string]: string } = {},
  given?: TestHome,
  { mcp = 'on-demand', surroundings }: Pick<HostOptions, 'mcp' | 'surroundings'> = {},
): Promise<ServedPage> {
  await using opening = new AsyncDisposableStack();
  const home = opening.use(given ?? (await createHome(files)));
  const stateFolder = await mkdtemp(join(tmpdir(), 'pegboard-state-'));
  opening.defer(() => rm(stateFolder, { recursive: true, force: true }));
  const host = opening.use(
    await createHost({
      home: home.path,
      stateFolder,
      watch: true,
      mcp,
      ...(surroundings && { surroundings }),
    }),
  );
  const web = opening.use(await openWeb(host));
  const server = opening.use(await serveWeb(web, 0));
  const { origin } = server;
  const port = Number(new URL(origin).port);
  const send = (path: string, { body, session, changes = {} }: AskOptions): Promise<RawAnswer> => {
    const headers: { [header: string]: string | undefined } = {
      host: new URL(origin).host,
      ...(body !== undefined && { origin, 'content-type': 'application/json' }),
      ...(session && { cookie: session.cookie, 'x-pegboard-page': session.key }),
      ...changes,
    };
    const given = Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [name, value],
    );
    return sendRaw(port, {
      method: body === undefined ? 'GET' : 'POST',
      path,
      headers: given,
      ...(body !== undefined && {
        body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
      }),
    });
  };
  let own: SignedIn | undefined;
  const signIn = async (): Promise<SignedIn> => {
    const code = new URL(page.link()).hash.replace('#open=', '');
    const { headers, text } = await send('/api/session', { body: { code } });
    const [cookie = ''] = headers['set-cookie']?.[0]?.split(';') ?? [];
    return { cookie, key: (JSON.parse(text) as { key: string }).key };
  };
  const opened = opening.move();
  const page: ServedPage = {
    host,
    home,
    stateFolder: host.stateFolder,
    origin,
    port,
    stopServing: async () => await server[Symbol.asyncDispose](),
    link: () => pageLink(host.stateFolder, origin),
    code: () => proofCode(host.stateFolder),
    signIn,
    async ask(path, options = {}) {
      const session = options.session ?? (own ??= await signIn());
      const { status, text } = await send(`/api/${path}`, { ...options, session });
      return { status, body: JSON.parse(text) as never };
    },
    async *events(signal, options = {}) {
      const session = options.session ?? (own ??= await signIn());
      const query = options.after === undefined ? '' : `?after=${encodeURIComponent(options.after)}`;
      const response = await fetch(`${options.origin ?? origin}/api/events${query}`, {
        headers: { cookie: session.cookie, 'x-pegboard-page': session.key },
        signal,
      });
      let rest = '';
      const decoder = new TextDecoder();
      for await (const chunk of response.body!) {
        const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n\n');
        rest = parts.pop()!;
        for (const part of parts) {
          const id = /^id: (.*)$/m.exec(part)?.[1];
          const data = /^data: (.*)$/m.exec(part)?.[1];
          if (id !== undefined && data !== undefined) yield { id, ...(JSON.parse(data) as LiveEvent) };
        }
      }
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
  return page;
}
