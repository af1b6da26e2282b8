import { interpolate, referencePattern } from '../../../core/documents/interpolate.ts';
import { contentOf } from '../../../core/documents/json/parse-in-slices.ts';
import { messageOf, PegboardError } from '../../../core/errors.ts';
import { pegboard } from '../../../core/own-command.ts';
import { readAtMost } from '../../../core/http/read-at-most.ts';
import { dropReservedMeta } from '../../../core/foreign/reserved-meta.ts';
import { fetchAtOrigin } from '../../../core/http/fetch-at-origin.ts';
import { credentialsIn } from '../../../core/secrets/credentials.ts';
import { learnReferenced } from '../../../core/secrets/learn-referenced.ts';
import { textInBody } from '../../../core/text/decode-body.ts';
import { shorten } from '../../../core/text/shorten.ts';
import type { JsonObject, ToolOutput } from '../../../api/result.ts';
import type { Prepared, ToolCall } from '../../../api/tool.ts';
import type { CommandContext } from '../run/run-command.ts';
import { buildRequest, type BuiltRequest, type Fill } from './build-request.ts';
import type { LoadedRequest } from './load-request.ts';
import { asSentence } from '../../../core/text/as-sentence.ts';

const megabyte = 1024 * 1024;
/** Longer responses are refused. */
const maxResponseBytes = 10 * megabyte;
/** Characters of an error's body that are shown. */
const maxErrorLength = 2_000;

const reference = new RegExp(`(${referencePattern})`);
/** `${NAME}` stays as it is, so that no secret is shown. */
const keepReferences: Fill = (literal, encode) =>
  literal
    .split(reference)
    .map((part, index) => (index % 2 === 1 ? part : encode(part)))
    .join('');

/** Exactly what will be sent, without the secrets. Throws PEG_INVALID_ARGUMENTS for values that have no place in it. */
export function previewRequest(request: LoadedRequest, args: JsonObject): Pick<Prepared, 'preview'> {
  const { url, headers, body } = buildRequest(request, args, keepReferences);
  const lines = [`${request.method} ${url}`, ...headers.map(([name, value]) => `${name}: ${value}`)];
  return { preview: body === undefined ? lines.join('\n') : `${lines.join('\n')}\n\n${body}` };
}

/**
 * Sends the request. A redirect is followed only on the same server. An answer of 400 or above throws PEG_TOOL_FAILED
 * with its status and the beginning of its body; JSON becomes structured content.
 */
export async function sendRequest(
  request: LoadedRequest,
  call: ToolCall<JsonObject>,
  context: CommandContext,
): Promise<ToolOutput> {
  const built = fillIn(request, call, context);
  const response = await fetchResponse(request, built, call);
  const { status, statusText, headers } = response;
  const bytes = await readAtMost(response, maxResponseBytes);
  if (bytes === undefined)
    throw new PegboardError(
      'PEG_TOOL_FAILED',
      `${call.tool.id}: the answer has more than ${maxResponseBytes / megabyte} MB. Ask for less.`,
    );
  const type = (headers.get('content-type') ?? '').toLowerCase();
  const text =
    (await textInBody(bytes, type)) ??
    `[${type === '' ? 'a file' : type} of ${bytes.length} bytes, which is not text]`;
  const line = `HTTP ${status}${statusText === '' ? '' : ` ${statusText}`}`;
  if (status >= 400) {
    const said = shorten(text.trim(), maxErrorLength);
    throw new PegboardError(
      'PEG_TOOL_FAILED',
      `${call.tool.id}: ${request.server} answered ${line}${said === '' ? '.' : `:\n${said}`}`,
      { data: { status } },
    );
  }
  const structured = /[/+]json\b/.test(type) ? await objectOf(text) : undefined;
  return {
    content: [{ type: 'text', text: text === '' ? line : text }],
    ...(structured && { structured }),
  };
}

/** The request with its secrets, which are redacted from now on. Throws PEG_MISSING_VARIABLE. */
function fillIn(request: LoadedRequest, call: ToolCall<JsonObject>, context: CommandContext): BuiltRequest {
  const credential = call.credential?.();
  const resolve = (name: string): string | undefined =>
    credential?.name === name ? credential.value : context.resolve(name);
  learnSecrets(request, { ...context, resolve });
  return buildRequest(request, call.args, (literal, encode) => {
    const { text, missing } = interpolate(literal, resolve);
    const [first] = missing;
    if (first === undefined) return encode(text);
    throw new PegboardError(
      'PEG_MISSING_VARIABLE',
      `${call.tool.id} needs the variable ${first}, and it is not set. ${context.whyUnset?.(first) ?? `Store it with \`${pegboard} secret set ${first}\`.`}`,
      { data: { variable: first } },
    );
  });
}

/** Registers for redaction the values of `${NAME}`, and keys that stand in the headers themselves. */
export function learnSecrets(
  { texts, headers }: Pick<LoadedRequest, 'texts' | 'headers'>,
  { resolve, redactor }: CommandContext,
): void {
  for (const text of texts)
    for (const [variable, value] of interpolate(text, resolve).used)
      learnReferenced(redactor, variable, value);
  for (const { name, value } of headers)
    for (const part of value)
      if ('literal' in part)
        for (const secret of credentialsIn(name, part.literal)) redactor.add(name, secret);
}

async function fetchResponse(
  { method, server }: LoadedRequest,
  { url, headers, body }: BuiltRequest,
  { signal, tool }: ToolCall<JsonObject>,
): Promise<Response> {
  const target = URL.parse(url);
  if (!target || !/^https?:$/.test(target.protocol) || target.username + target.password !== '')
    throw new PegboardError(
      'PEG_TOOL_FAILED',
      `${tool.id}: its address is not one of http:// or https:// without a password. Correct "url", or the variables in it.`,
    );
  try {
    return await fetchAtOrigin(target, {
      method,
      headers: toHeaders(headers),
      signal,
      ...(body !== undefined && { body }),
    });
  } catch (cause) {
    if (signal.aborted) throw cause;
    throw new PegboardError(
      'PEG_TOOL_FAILED',
      `${tool.id}: ${server} can't be reached: ${asSentence(reasonOf(cause))}`,
      { cause },
    );
  }
}

/** Those that the manifest doesn't have are the usual ones. */
function toHeaders(written: BuiltRequest['headers']): Headers {
  const headers = new Headers(written.map(([name, value]): [string, string] => [name, value]));
  if (!headers.has('Accept')) headers.set('Accept', 'application/json, text/*;q=0.9, */*;q=0.1');
  if (!headers.has('User-Agent')) headers.set('User-Agent', 'Pegboard');
  return headers;
}

/** fetch says "fetch failed" and keeps the reason inside. */
function reasonOf(error: unknown): string {
  let last = error;
  while (last instanceof Error && last.cause instanceof Error) last = last.cause;
  switch ((last as NodeJS.ErrnoException).code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'there is no host of that name, or no network';
    case 'ECONNREFUSED':
      return 'nothing listens there';
    default:
      return messageOf(last);
  }
}

/** MCP requires an object as structured content, so any other value becomes the `value` of one. */
async function objectOf(text: string): Promise<object | undefined> {
  const holder = await contentOf('value', text);
  dropReservedMeta(holder);
  const value = holder?.value;
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? value : holder;
}
