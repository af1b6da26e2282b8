import { PegboardError } from 'pegboard';
import { once } from 'pegboard/kit';
import type { Session } from '../session/sessions.ts';

/** A request whose session is valid. */
export interface ApiRequest {
  /** The parts of the path after the name: "/api/tools/core.read" → ["core.read"]. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
  /** The JSON object of a POST; empty for a GET. */
  readonly body: { readonly [name: string]: unknown };
  readonly session: Session;
  /** Aborts when the browser has gone. */
  readonly signal: AbortSignal;
}

/** Returns what is sent as JSON. Throws a PegboardError for what the person should read. */
type ApiHandler = (request: ApiRequest) => unknown;

/** By method and the first part of the path: "GET tools". Nothing else of the host is reachable from the page. */
export type ApiHandlers = { readonly [route: string]: ApiHandler };

/** Handlers of code that most pages never need: it is loaded when one of them is asked first. */
export function loadedLater(routes: readonly string[], load: () => Promise<ApiHandlers>): ApiHandlers {
  const loaded = once(load);
  return Object.fromEntries(
    routes.map((route) => [route, async (request: ApiRequest) => (await loaded())[route]!(request)]),
  );
}

/** The page can't do this by itself: its person must show first that they are the owner. */
export class ProofNeeded extends Error {}

/** There is nothing at this path. */
export class NotFound extends Error {}

/** Throws ProofNeeded, unless a code was typed lately. */
export function requireProof({ session }: ApiRequest): void {
  if (!session.isProven) throw new ProofNeeded();
}

/** Ids of files that were uploaded. Throws PEG_USAGE for anything else, and for more than `most`. */
export function fileIdsIn(body: ApiRequest['body'], most: number): readonly string[] {
  const { files = [] } = body;
  if (!Array.isArray(files) || !files.every((id) => typeof id === 'string'))
    throw new PegboardError('PEG_USAGE', '"files" must be a list of ids.');
  if (files.length > most)
    throw new PegboardError(
      'PEG_USAGE',
      most === 1 ? 'Only one file may be chosen.' : `At most ${most} files.`,
    );
  return files;
}

/** Throws PEG_USAGE when the member is no text. */
export function textIn(body: ApiRequest['body'], name: string): string {
  const value = body[name];
  if (typeof value !== 'string') throw new PegboardError('PEG_USAGE', `"${name}" must be a text.`);
  return value;
}
