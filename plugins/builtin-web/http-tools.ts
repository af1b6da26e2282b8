import {
  defineTool,
  markUntrusted,
  memberJson,
  mergeWritten,
  PegboardError,
  textResult,
  toJson,
  type StructuredResult,
  type StructureOf,
  type Tool,
} from 'pegboard';
import { contentOf, textInBody } from 'pegboard/files';
import type { WebConfig } from './config.ts';
import { fetchPublic, type FetchedPage } from './fetch-public.ts';

const url = {
  type: 'string',
  minLength: 1,
  maxLength: 4_000,
  description: 'Address, with its query.',
} as const;
const headers = {
  type: 'object',
  maxProperties: 30,
  additionalProperties: { type: 'string', maxLength: 8_000 },
  description: 'Headers by name. They go to this host alone, not to where it redirects.',
} as const;
/** Headers that the connection sets, or that could misdirect a proxy. */
const reserved =
  /^(host|connection|content-length|transfer-encoding|te|trailer|upgrade|expect|keep-alive|proxy-.*)$/i;
const common = {
  category: 'http',
  tags: ['api', 'rest', 'json', 'curl', 'fetch', 'endpoint'],
  timeout: 60,
  permission: { kind: 'url', argument: 'url' },
} as const;
const megabyte = 1024 * 1024;

/** A response. `json` is its body where that is JSON, `body` where it is other text. */
const outputSchema = {
  type: 'object',
  required: ['status', 'url', 'headers'],
  properties: {
    status: { type: 'integer' },
    url: { type: 'string' },
    headers: { type: 'object', additionalProperties: { type: 'string' } },
    json: {},
    body: { type: 'string' },
    truncated: { type: 'boolean' },
  },
} as const;

type HttpResponse = StructureOf<typeof outputSchema>;

/** HTTP requests for APIs: responses are not converted to Markdown. The same protections as for web_read apply. */
export function createHttpTools(config: WebConfig): Tool[] {
  const ask = async (
    address: string,
    request: { readonly method: string; readonly headers?: object; readonly body?: string },
    signal: AbortSignal,
  ): Promise<StructuredResult<HttpResponse>> =>
    await toResult(
      await fetchPublic(address, {
        allowHosts: config.allowHosts,
        maxBytes: config.maxMegabytes * megabyte,
        signal,
        method: request.method,
        headers: { accept: 'application/json, text/*;q=0.9, */*;q=0.1', ...checkHeaders(request.headers) },
        ...(request.body !== undefined && { body: request.body }),
      }),
    );
  const get = defineTool({
    ...common,
    name: 'http_get',
    title: 'HTTP GET',
    description:
      'Fetches an address and returns status, headers and body as they are: for APIs. web_read is for pages.',
    aliases: ['call api', 'http get', 'API abrufen', 'llamar api'],
    annotations: { readOnlyHint: true, openWorldHint: true },
    relays: true,
    parameters: {
      type: 'object',
      additionalProperties: false,
      required: ['url'],
      properties: { url, headers },
    },
    outputSchema,
    examples: [{ input: { url: 'https://api.example.com/status' } }],
    prepare({ url: address, headers: given }, { turn }) {
      checkHeaders(given);
      const preview = `GET ${address}${linesOf(given)}`;
      if (!turn || turn.untrusted.origins.length === 0 || given === undefined) return { preview };
      const key = `web ${URL.parse(address)?.host ?? address}`;
      const reason = 'The headers of this request may leak data to its receiver.';
      return {
        preview,
        discloses: { reason, allowances: { offered: { conversation: key }, coveredBy: [key] } },
      };
    },
    execute: ({ url: address, headers: given }, call) =>
      ask(address, { method: 'GET', ...(given && { headers: given }) }, call.signal),
  });
  const request = defineTool({
    ...common,
    name: 'http_request',
    title: 'HTTP request',
    description:
      'Sends a request that may change something (POST, PUT, PATCH, DELETE), after a question. Redirects are not followed.',
    aliases: ['http post', 'send webhook', 'post to api', 'Webhook senden'],
    annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
    confirm: true,
    preservesNumbers: true,
    parameters: {
      type: 'object',
      additionalProperties: false,
      required: ['method', 'url'],
      properties: {
        method: { type: 'string', enum: ['POST', 'PUT', 'PATCH', 'DELETE'], description: 'Of HTTP.' },
        url,
        headers,
        json: { description: 'Body as JSON: any value.' },
        body: { type: 'string', maxLength: 1_000_000, description: 'Body as text, instead of json.' },
      },
    },
    outputSchema,
    prepare(args) {
      const { body } = toBody(args);
      return {
        preview: `${args.method} ${args.url}${linesOf(args.headers)}${body === undefined ? '' : `\n\n${body}`}`,
      };
    },
    execute(args, call) {
      const { headers: own, body } = toBody(args);
      const sent = {
        method: args.method,
        headers: { ...own, ...args.headers },
        ...(body !== undefined && { body }),
      };
      return ask(args.url, sent, call.signal);
    },
  });
  return [get, request];
}

interface Body {
  readonly json?: unknown;
  readonly body?: string;
  readonly headers?: object;
}

function toBody(args: Body): { readonly headers?: object; readonly body?: string } {
  const { body, headers: given } = args;
  checkHeaders(given);
  const json = memberJson(args, 'json');
  if (json === undefined) return body === undefined ? {} : { body };
  if (body !== undefined) throw new PegboardError('PEG_INVALID_ARGUMENTS', 'Either json or body, not both.');
  return { headers: { 'content-type': 'application/json' }, body: json };
}

/** Throws PEG_INVALID_ARGUMENTS for invalid and reserved headers. */
function checkHeaders(given: object = {}): { readonly [name: string]: string } {
  for (const [name, value] of Object.entries(given as { readonly [name: string]: string })) {
    if (
      !/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) ||
      reserved.test(name) ||
      /[^\t\x20-\x7e\x80-\xff]/.test(value)
    )
      throw new PegboardError(
        'PEG_INVALID_ARGUMENTS',
        `The header ${toJson(name)} can't be set: its name or value is not valid, or Pegboard sets it itself. Leave it out, or correct it.`,
      );
  }
  return given as { readonly [name: string]: string };
}

const linesOf = (given: object = {}): string =>
  Object.entries(given)
    .map(([name, value]) => `\n${name}: ${String(value)}`)
    .join('');

/** Every status is a valid result: callers of an API need to see it. */
async function toResult({
  status,
  url: address,
  type,
  headers: received,
  body,
  cut,
}: FetchedPage): Promise<StructuredResult<HttpResponse>> {
  const found = await textInBody(body, received['content-type'] ?? '');
  const text = found ?? `[${type || 'a file'} of ${body.length} bytes, which is not text]`;
  const note = cut ? '\n[the body is longer than what was loaded]' : '';
  const shown = Object.fromEntries(
    Object.entries(received).filter(([name]) =>
      /^(content-type|location|link|retry-after|etag|last-modified|x-ratelimit-.*)$/.test(name),
    ),
  );
  const asText = { ...(found !== undefined && { body: text }), ...(cut && { truncated: true }) };
  const structured = mergeWritten(
    { status, url: address, headers: shown },
    (isJson(type, cut) && (await contentOf('json', text))) || asText,
  );
  return markUntrusted(textResult(`HTTP ${status}${linesOf(shown)}\n\n${text}${note}`, structured), {
    kind: 'web',
    what: address,
  });
}

const isJson = (type: string, cut: boolean): boolean => /[/+]json$/.test(type) && !cut;
