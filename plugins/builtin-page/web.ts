import type { IncomingMessage, ServerResponse } from 'node:http';
import { pegboard, PegboardError } from 'pegboard';
import type { Host } from 'pegboard/embed';
import { messageOf, once, publicPegboard } from 'pegboard/kit';
import {
  type Body,
  maxUnauthenticatedBytes,
  readBody,
  sendJson,
  type UnauthenticatedLimit,
  type ServedPage,
} from 'pegboard/serving';
import { NotFound, ProofNeeded, textIn } from './api/handler.ts';
import { openPageFiles, type PageFile } from './assets/page-files.ts';
import { createWatchedNote } from './bridge/note-watched.ts';
import { openTabs } from './bridge/tabs.ts';
import type { PageChat } from './channel/page-chat.ts';
import { createFileServer } from './chat/serve-files.ts';
import { createTurnViews } from './chat/turn-views.ts';
import { openLive } from './live/live.ts';
import { isSecure, pageHeaders, pageRefusal } from './page-guard.ts';
import { openLogins } from './servers/logins.ts';
import { noteServedPage } from './session/served-page.ts';
import { openSessions } from './session/sessions.ts';
import type { ApiFailure } from './wire.ts';

const apiPrefix = '/api/';

const messages = {
  linkUsed: 'This link was used before, or is older than a minute.',
  signedOut: 'This browser is not signed in.',
  nothingHere: 'There is nothing here.',
  proofNeeded: `This needs a code first: \`${pegboard} dashboard code\` in a terminal shows one, and your bot sends one for /code.`,
} as const;

/** The page in the browser: its files for everybody, and what it reads and does for whoever is signed in. */
export function createWeb(host: Host, chats: PageChat): ServedPage {
  const { stateFolder } = host;
  const files = openPageFiles();
  const turns = createTurnViews(host.runningTurns);
  const watched = createWatchedNote(host);
  const tabs = openTabs((are) => watched.set(are), host.surroundings.clock);
  const live = openLive(host, { messages: chats.messages, turns, tabs });
  const sessions = openSessions(stateFolder, (session) => live.leave(session));
  const chatting = chats.serve(() => live.isOpen, host.config.state !== undefined);
  const chatFiles = createFileServer(chats.files);
  const logins = openLogins((text) => host.redact(text));
  // A host whose page nobody opens does without them.
  const loadHandlers = once(async () =>
    (await import('./api/all.ts')).handlersOf(host, { chats, turns, tabs, live, logins }),
  );

  const answerApi = async ({ request, response, limit }: Arrived, url: URL): Promise<void> => {
    const [name = '', ...path] = url.pathname.slice(apiPrefix.length).split('/').map(decodeURIComponent);
    const isPost = request.method === 'POST';
    if (!isPost && request.method !== 'GET')
      return sendFailure(response, 405, 'PEG_USAGE', 'Method not allowed.');
    if (isPost && name === 'session') {
      const opened = sessions.open(
        textIn(await bodyOf(request, maxUnauthenticatedBytes), 'code'),
        isSecure(request),
      );
      if (!opened) return sendStranger(response, 'LINK_USED', messages.linkUsed);
      response.setHeader('Set-Cookie', opened.cookie);
      return sendJson(response, 200, { key: opened.key });
    }
    const session = sessions.of(request);
    if (!session) return sendStranger(response, 'SIGNED_OUT', messages.signedOut);
    limit.admit(request.socket);
    if (!isPost && name === 'events')
      return await live.join(response, session.id, url.searchParams.get('after') ?? undefined);
    if (await chatFiles.serve(request, response, url)) return;
    const api = await loadHandlers();
    const route = `${request.method} ${name}`;
    const handler = Object.hasOwn(api, route) ? api[route]! : undefined;
    if (!handler) return sendFailure(response, 404, 'PEG_USAGE', messages.nothingHere);
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const body = isPost ? await bodyOf(request) : {};
    const answer = await handler({ path, query: url.searchParams, body, session, signal: gone.signal });
    if (!response.destroyed) sendJson(response, 200, answer ?? {}, { 'Cache-Control': 'no-store' });
  };
  const sendPage = async (
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
  ): Promise<void> => {
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return sendFailure(response, 405, 'PEG_USAGE', 'Method not allowed.');
    const named = await files.find(path.slice(1));
    // One document for all screens: it shows what its path says.
    const file = named ?? (isScreen(path) ? await files.find('index.html') : undefined);
    if (!file) return sendFailure(response, 404, 'PEG_USAGE', messages.nothingHere);
    sendFile(request, response, file);
  };

  return {
    has: (path) =>
      isScreen(path) || path.startsWith(apiPrefix) || /^\/[\w.-]+\.(?:js|css|html|svg)$/.test(path),
    isLinkable: isScreen,
    isOwner: (request) => pageRefusal(request) === undefined && sessions.of(request) !== undefined,
    servedAt: (origin) => noteServedPage(stateFolder, origin),
    async handle(request, response, limit) {
      for (const [name, value] of Object.entries(pageHeaders)) response.setHeader(name, value);
      const refusal = pageRefusal(request);
      if (refusal) return sendFailure(response, refusal.status, 'REFUSED', refusal.message);
      try {
        const url = new URL(request.url!, 'http://localhost');
        if (url.pathname.startsWith(apiPrefix)) await answerApi({ request, response, limit }, url);
        else await sendPage(request, response, url.pathname);
      } catch (thrown) {
        report(thrown, response, host);
      }
    },
    async [Symbol.asyncDispose]() {
      await chatting[Symbol.asyncDispose]();
      live[Symbol.dispose]();
      logins[Symbol.dispose]();
      tabs[Symbol.dispose]();
      await watched[Symbol.asyncDispose]();
      turns[Symbol.dispose]();
    },
  };
}

/** The first parts of their paths. All other paths stay MCP's, whose clients try some of them. */
const screens = [
  '',
  'agents',
  'approvals',
  'chat',
  'manifests',
  'plugins',
  'secrets',
  'servers',
  'settings',
  'tools',
  'trace',
  'usage',
];

const isScreen = (path: string): boolean => screens.includes(path.split('/')[1] ?? '');

interface Arrived {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly limit: UnauthenticatedLimit;
}

/** A request whose body is too long, or no JSON. */
class BodyRefused extends Error {
  readonly status: number;

  constructor({ status, message }: Extract<Body, { readonly status: number }>) {
    super(message);
    this.status = status;
  }
}

/** An object. Throws BodyRefused, and PEG_USAGE for anything else. */
async function bodyOf(
  request: IncomingMessage,
  maxBytes?: number,
): Promise<{ readonly [name: string]: unknown }> {
  const body = await readBody(request, maxBytes);
  if (body === undefined) throw new PegboardError('PEG_CANCELLED', 'The browser has gone.');
  if ('status' in body) throw new BodyRefused(body);
  if (typeof body.json !== 'object' || body.json === null || Array.isArray(body.json))
    throw new PegboardError('PEG_USAGE', 'The request must be a JSON object.');
  return body.json as { readonly [name: string]: unknown };
}

function report(thrown: unknown, response: ServerResponse, host: Host): void {
  if (response.destroyed || response.headersSent) return void response.destroy();
  if (thrown instanceof BodyRefused) {
    // What was not read would be taken for the next request.
    response.setHeader('Connection', 'close');
    return sendFailure(response, thrown.status, 'PEG_USAGE', thrown.message);
  }
  if (thrown instanceof ProofNeeded) return sendFailure(response, 403, 'PROOF_NEEDED', messages.proofNeeded);
  if (thrown instanceof NotFound) return sendFailure(response, 404, 'PEG_USAGE', messages.nothingHere);
  if (thrown instanceof PegboardError) {
    const { problems } = (thrown.data ?? {}) as Pick<ApiFailure['error'], 'problems'>;
    const message = host.redact(thrown.message);
    return sendError(response, 422, { code: thrown.code, message, ...(problems && { problems }) });
  }
  if (thrown instanceof URIError) return sendFailure(response, 400, 'PEG_USAGE', 'This is no path.');
  host.log.error('a request of the page failed', { cause: thrown });
  sendFailure(response, 500, 'PEG_INTERNAL', `${host.redact(messageOf(thrown))} The log has more.`);
}

function sendFailure(response: ServerResponse, status: number, code: string, message: string): void {
  sendError(response, status, { code, message });
}

/** To a browser that is not signed in, which learns no path of this machine. */
function sendStranger(response: ServerResponse, code: string, message: string): void {
  sendError(response, 401, { code, message, program: publicPegboard });
}

function sendError(response: ServerResponse, status: number, error: ApiFailure['error']): void {
  sendJson(response, status, { error } satisfies ApiFailure, { 'Cache-Control': 'no-store' });
}

function sendFile({ method, headers }: IncomingMessage, response: ServerResponse, file: PageFile): void {
  const isBrotli = /\bbr\b/.test(String(headers['accept-encoding']));
  const body = isBrotli ? file.brotli : file.body;
  response.writeHead(200, {
    'Content-Type': file.type,
    'Cache-Control': file.isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    'Content-Length': body.length,
    Vary: 'Accept-Encoding',
    ...(isBrotli && { 'Content-Encoding': 'br' }),
  });
  response.end(method === 'HEAD' ? undefined : body);
}
