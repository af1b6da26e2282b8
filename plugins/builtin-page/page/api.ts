import { signal } from '@preact/signals';
import { parseJson, toJson } from 'pegboard/browser';
import type { ApiFailure, FieldProblem } from '../wire.ts';
import { suggestProgram } from './program.ts';

/** Half of the session; the other half is a cookie, which goes by itself. No other port of this machine can read it. */
const keyName = 'pegboard-page-key';

/** Why this browser is not signed in; undefined while it is. */
export const signedOut = signal<string | undefined>(undefined);

/** A request that failed. Its message is for the person. */
export class ApiError extends Error {
  readonly code: string;
  readonly problems: readonly FieldProblem[];

  constructor({ code, message, problems = [] }: ApiFailure['error']) {
    super(message);
    this.code = code;
    this.problems = problems;
  }
}

const headers = (): Record<string, string> => ({ 'x-pegboard-page': localStorage.getItem(keyName) ?? '' });

interface Init {
  readonly method?: string;
  readonly headers?: { readonly [name: string]: string };
  readonly body?: string | Blob;
  readonly signal?: AbortSignal;
  /** It is sent to its end when the page is closed meanwhile. */
  readonly keepalive?: boolean;
}

/** Throws ApiError, and sets `signedOut` when the session is over. */
export async function request(path: string, init: Init = {}): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(`/api/${path}`, { ...init, headers: { ...headers(), ...init.headers } });
  } catch (cause) {
    if (init.signal?.aborted) throw cause;
    throw new ApiError({ code: 'NOT_CONNECTED', message: 'The host does not answer. Is it still running?' });
  }
  if (response.ok) return response;
  const failure = (await response.json().catch(() => undefined)) as ApiFailure | undefined;
  const error = failure?.error ?? { code: 'HTTP', message: `The host answered with ${response.status}.` };
  if (error.program !== undefined) suggestProgram(error.program);
  // What was under way when the person signed out is refused too, which says nothing new.
  if (error.code === 'SIGNED_OUT') signedOut.value ||= error.message;
  throw new ApiError(error);
}

/** Numbers are kept as they were written: see `parseJson`. */
const read = async <T>(response: Response): Promise<T> => parseJson(await response.text()) as T;

/** Throws ApiError. `signal` aborts it. */
export const get = async <T>(path: string, signal?: AbortSignal): Promise<T> =>
  read<T>(await request(path, signal && { signal }));

/** Throws ApiError. `signal` aborts it, and what the host does for it. */
export const post = async <T>(path: string, body: object, signal?: AbortSignal): Promise<T> =>
  read<T>(
    await request(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: toJson(body),
      ...(signal && { signal }),
    }),
  );

/** Opens a session with the code in the address, if it has one, and takes it out of the address and the history. */
export async function signIn(): Promise<void> {
  const code = /^#open=([\w-]+)$/.exec(location.hash)?.[1];
  if (code === undefined) return;
  history.replaceState(null, '', location.pathname);
  const { key } = await post<{ readonly key: string }>('session', { code });
  localStorage.setItem(keyName, key);
}

export async function signOut(): Promise<void> {
  await post('sign-out', {});
  localStorage.removeItem(keyName);
  signedOut.value = 'You have signed out of this browser.';
}

export const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));
