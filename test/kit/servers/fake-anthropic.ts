import type { IncomingMessage, ServerResponse } from 'node:http';
import { listen, readBody } from '../../../host/testing/http-server.ts';

export interface AnthropicScript {
  readonly text?: string;
  /** `input` is JSON as the model writes it. */
  readonly toolUse?: readonly { readonly name: string; readonly input: string }[];
  readonly usage?: object;
  readonly stopReason?: string;
  /** Status to respond with instead of an answer. */
  readonly error?: { readonly status: number; readonly type: string; readonly message: string };
  /** An error in the middle of the stream, after the text. */
  readonly errorInStream?: { readonly type: string; readonly message: string };
  /** The connection ends after the text. */
  readonly cutOff?: true;
}

interface Block {
  readonly type: string;
  readonly id?: string;
  readonly tool_use_id?: string;
  readonly text?: string;
  readonly cache_control?: object;
}
interface AnthropicRequest {
  readonly model: string;
  readonly max_tokens: number;
  readonly system?: readonly Block[];
  readonly messages: readonly { readonly role: string; readonly content: readonly Block[] }[];
  readonly tools?: readonly { readonly name: string; readonly cache_control?: object }[];
}

export interface FakeAnthropic extends AsyncDisposable {
  readonly baseUrl: string;
  readonly requests: AnthropicRequest[];
  /** The streamed texts, in order. */
  readonly bodies: string[];
  readonly headers: { readonly [name: string]: string | string[] | undefined }[];
}

/**
 * Anthropic's streamed Messages API, as described at https://docs.claude.com/en/api/messages. It rejects what the API
 * rejects.
 */
export async function startFakeAnthropic(script: readonly AnthropicScript[]): Promise<FakeAnthropic> {
  const requests: AnthropicRequest[] = [];
  const bodies: string[] = [];
  const headers: FakeAnthropic['headers'] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    // It lists no models.
    if (request.method === 'GET') return void response.writeHead(404).end('{}');
    const text = await readBody(request);
    const body = JSON.parse(text) as AnthropicRequest;
    bodies.push(text);
    headers.push(request.headers);
    requests.push(body);
    const turn = script[requests.length - 1] ?? { text: 'Nothing is scripted any more.' };
    const problem = request.url === '/v1/messages' ? problemOf(body) : `no such path ${request.url}`;
    const error =
      turn.error ??
      (problem !== undefined && { status: 400, type: 'invalid_request_error', message: problem });
    if (error) {
      response.writeHead(error.status, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ type: 'error', error: { type: error.type, message: error.message } }));
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const send = (event: { readonly type: string }): void =>
      void response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    for (const event of eventsOf(body.model, turn)) send(event);
    if (turn.cutOff) response.destroy();
    else response.end();
  };
  const server = await listen((request, response) => void answer(request, response));
  return {
    baseUrl: `${server.url}/v1`,
    requests,
    bodies,
    headers,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

function* eventsOf(
  model: string,
  turn: AnthropicScript,
): Generator<{ readonly type: string; readonly [field: string]: unknown }> {
  const { text = '', toolUse = [], usage = { input_tokens: 10, output_tokens: 1 } } = turn;
  yield {
    type: 'message_start',
    message: { id: 'msg_1', type: 'message', role: 'assistant', model, content: [], usage },
  };
  yield { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } };
  yield { type: 'ping' };
  for (const piece of text.match(/.{1,5}/gs) ?? [])
    yield { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: piece } };
  if (turn.errorInStream) yield { type: 'error', error: turn.errorInStream };
  if (turn.errorInStream || turn.cutOff) return;
  yield { type: 'content_block_stop', index: 0 };
  for (const [at, { name, input }] of toolUse.entries()) {
    const index = at + 1;
    yield {
      type: 'content_block_start',
      index,
      content_block: { type: 'tool_use', id: `toolu_${at}`, name, input: {} },
    };
    for (const piece of input.match(/.{1,4}/gs) ?? [])
      yield { type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json: piece } };
    yield { type: 'content_block_stop', index };
  }
  const stop_reason = turn.stopReason ?? (toolUse.length > 0 ? 'tool_use' : 'end_turn');
  yield { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 7 } };
  yield { type: 'message_stop' };
}

/** Why the API would respond with 400. */
function problemOf({
  system = [],
  messages,
  tools = [],
  max_tokens: limit,
}: AnthropicRequest): string | undefined {
  if (!Number.isInteger(limit) || limit < 1) return 'max_tokens: Field required';
  if (messages[0]?.role !== 'user') return 'messages: first message must use the "user" role';
  const blocks = [...system, ...messages.flatMap(({ content }) => content)];
  if (blocks.some(({ type, text }) => type === 'text' && text!.trim() === ''))
    return 'messages: text content blocks must contain non-whitespace text';
  const marked = [...blocks, ...tools].filter(({ cache_control: mark }) => mark !== undefined);
  if (marked.length > 4)
    return `A maximum of 4 blocks with cache_control may be provided. Found ${marked.length}.`;
  for (const [at, { role, content }] of messages.entries()) {
    if (at > 0 && role === messages[at - 1]!.role) return 'messages: roles must alternate';
    const used = content.filter(({ type }) => type === 'tool_use').map(({ id }) => id);
    const answered = (messages[at + 1]?.content ?? []).map((block) => block.tool_use_id);
    const open = used.find((id) => !answered.includes(id));
    if (open !== undefined)
      return `messages.${at}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open}`;
  }
  return undefined;
}
