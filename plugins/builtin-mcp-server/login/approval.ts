import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Provider } from 'oidc-provider';
import type { Logger } from 'pegboard';
import { approvalPage, messagePage, pageHeaders } from './approval-page.ts';
import { owner, scope } from './authorization-server.ts';
import type { PairingCode } from './pairing-code.ts';

/** After this many wrong codes the client has to start a new login. */
const maxAttempts = 5;
const maxFormBytes = 4096;

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>;

export interface ApprovalOptions {
  readonly code: PairingCode;
  /** Binds a form to its page. */
  readonly secret: string;
  /** How many wrong codes were entered in this login, with the one that has just been. */
  readonly countWrongCode: (login: string) => Promise<number>;
  /** Whether there is anything to use at this path. */
  readonly isServed: (path: string) => boolean;
  readonly log: Logger;
}

/** The page on which the owner approves a client, with the code that only the owner sees. */
export function createApproval(
  provider: Provider,
  { code, secret, countWrongCode, isServed, log }: ApprovalOptions,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const proofOf = (uid: string): string =>
    createHash('sha256').update(`${secret}\0${uid}`).digest('base64url');

  const show = async (response: ServerResponse, login: Interaction, problem?: string): Promise<void> => {
    const { client_id: id, redirect_uri: redirect, resource } = paramsOf(login);
    const client = await provider.Client.find(id);
    const page = approvalPage({
      client: client?.clientName ?? 'A client without a name',
      page: id.startsWith('https://') ? id : undefined,
      redirect,
      resource,
      proof: proofOf(login.uid),
      problem,
    });
    response.writeHead(problem === undefined ? 200 : 403, pageHeaders(originOf(redirect))).end(page);
  };
  const deny = (
    request: IncomingMessage,
    response: ServerResponse,
    why: string,
    error = 'access_denied',
  ): Promise<void> =>
    provider.interactionFinished(
      request,
      response,
      { error, error_description: why },
      { mergeWithLastSubmission: false },
    );
  const allow = async (
    request: IncomingMessage,
    response: ServerResponse,
    login: Interaction,
  ): Promise<void> => {
    const { client_id: clientId, resource } = paramsOf(login);
    if (!isServed(new URL(resource).pathname))
      return deny(request, response, `Nothing is served at ${resource}.`, 'invalid_target');
    const grant = new provider.Grant({ accountId: owner, clientId });
    grant.addOIDCScope(scope);
    grant.addResourceScope(resource, scope);
    const grantId = await grant.save();
    log.info(`the client ${clientId} may use ${resource} from now on`);
    const result = { login: { accountId: owner, remember: false }, consent: { grantId } };
    await provider.interactionFinished(request, response, result);
  };
  const decide = async (
    request: IncomingMessage,
    response: ServerResponse,
    login: Interaction,
  ): Promise<void> => {
    if (Number(request.headers['content-length'] ?? Infinity) > maxFormBytes) {
      return refuse(response, 413, 'The form is too large.');
    }
    const form = new URLSearchParams(await text(request));
    if (!isSame(form.get('proof') ?? '', proofOf(login.uid)))
      return refuse(response, 403, 'This form did not come from this page. Start the login again.');
    if (form.get('decision') !== 'allow') return deny(request, response, 'The owner denied the request.');
    if (await code.matches(form.get('code') ?? '')) return allow(request, response, login);
    const tried = await countWrongCode(login.uid);
    log.warn(`a wrong code was entered for the client ${paramsOf(login).client_id}`);
    if (tried >= maxAttempts) return deny(request, response, 'Too many wrong codes were entered.');
    await show(response, login, 'That code is wrong. The right one is printed where Pegboard was started.');
  };

  return async (request, response) => {
    const login = await provider.interactionDetails(request, response).catch(() => undefined);
    if (!login || !request.url!.split('?')[0]!.endsWith(`/${login.uid}`))
      return refuse(
        response,
        404,
        'This login does not exist, or has expired. Start it again in the client.',
      );
    if (request.method === 'POST') return decide(request, response, login);
    if (request.method === 'GET') return show(response, login);
    return refuse(response, 405, 'This page only supports GET and POST.');
  };
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { ...pageHeaders(), Connection: 'close' });
  response.end(messagePage('Login not possible', message));
}

interface Params {
  readonly client_id: string;
  readonly redirect_uri: string;
  readonly resource: string;
}

const paramsOf = ({ params }: Interaction): Params => params as never;

/** "https://app.example", or "cursor:" for an app. */
function originOf(redirect: string): string {
  const { origin, protocol } = new URL(redirect);
  return origin === 'null' ? protocol : origin;
}

const isSame = (given: string, wanted: string): boolean =>
  given.length === wanted.length && timingSafeEqual(Buffer.from(given), Buffer.from(wanted));
