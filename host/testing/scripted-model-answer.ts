import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ScriptedCall, ScriptedReply, ScriptedRequest } from './script.ts';

/** Answers one request as the reply says, streamed when the request asks for it. */
export async function sendReply(
  response: ServerResponse,
  request: ScriptedRequest,
  reply: ScriptedReply,
  index: number,
): Promise<void> {
  const { faults = {} } = reply;
  if (faults.status !== undefined) {
    const headers = faults.retryAfter === undefined ? {} : { 'retry-after': String(faults.retryAfter) };
    const message = faults.message ?? `scripted ${faults.status}`;
    const error = { message, type: 'scripted', param: null, code: faults.code ?? null };
    response.writeHead(faults.status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify({ error }));
    return;
  }
  if (faults.hangAfter === 0) return;
  if (!request.stream || faults.noStream) {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(wholeAnswer(request, reply, index)));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const lineEnd = faults.crlf ? '\r\n' : '\n';
  const send = (data: string): void => void response.write(`data: ${data}${lineEnd}${lineEnd}`);
  let sent = 0;
  for (const chunk of chunksOf(request, reply, index)) {
    if (sent === faults.cutAfter) return void response.destroy();
    if (sent === faults.hangAfter) return;
    if (sent === faults.errorAfter) {
      send(JSON.stringify({ error: { message: 'scripted failure in the stream', code: 502 } }));
      response.end();
      return;
    }
    send(JSON.stringify(chunk));
    sent++;
    // So that chunks travel one by one.
    await nextTurn();
  }
  if (!faults.noDone) send('[DONE]');
  response.end();
}

function wholeAnswer(request: ScriptedRequest, reply: ScriptedReply, index: number): object {
  const { faults = {}, toolCalls, thinking } = reply;
  const message = {
    role: 'assistant',
    content: textOf(reply),
    ...(thinking !== undefined && !faults.thinkInText && { reasoning_content: thinking }),
    ...(toolCalls && {
      tool_calls: toolCalls.map((call, position) => ({
        ...(!faults.noIds && { id: idOf(call, index, position) }),
        type: 'function',
        function: { name: call.name, arguments: argumentsOf(call, faults.argumentsAsObject) },
      })),
    }),
  };
  return {
    id: `chatcmpl-${index}`,
    object: 'chat.completion',
    created: 0,
    model: request.model,
    choices: [{ index: 0, message, finish_reason: finishOf(reply) }],
    ...(!faults.noUsage && { usage: usageOf(request, reply) }),
  };
}

function* chunksOf(request: ScriptedRequest, reply: ScriptedReply, index: number): Generator<object> {
  const { faults = {}, toolCalls = [], thinking, chunks = 3 } = reply;
  const common = {
    id: `chatcmpl-${index}`,
    object: 'chat.completion.chunk',
    created: 0,
    model: request.model,
  };
  const chunk = (delta: object, finish: string | null = null): object => ({
    ...common,
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  if (faults.emptyChoices) yield { ...common, choices: [] };
  yield chunk({ role: 'assistant', content: '' });
  if (thinking !== undefined && !faults.thinkInText) {
    for (const piece of cut(thinking, chunks)) yield chunk({ reasoning_content: piece });
  }
  for (const piece of cut(textOf(reply) ?? '', chunks)) yield chunk({ content: piece });
  for (const [position, call] of toolCalls.entries()) {
    for (const delta of callDeltas(reply, call, index, position)) yield chunk({ tool_calls: [delta] });
  }
  if (!faults.noFinish) yield chunk({}, finishOf(reply));
  const asked = (request['stream_options'] as { include_usage?: boolean } | undefined)?.include_usage;
  if (asked && !faults.noUsage) yield { ...common, choices: [], usage: usageOf(request, reply) };
}

function callDeltas(reply: ScriptedReply, call: ScriptedCall, index: number, position: number): object[] {
  const { faults = {}, chunks = 3 } = reply;
  const where = faults.noIndexes ? {} : { index: position };
  const named = { ...(!faults.noIds && { id: idOf(call, index, position) }), type: 'function' };
  if (faults.argumentsAsObject) {
    return [{ ...where, ...named, function: { name: call.name, arguments: argumentsOf(call, true) } }];
  }
  const half = Math.ceil(call.name.length / 2);
  const opening = faults.splitNames
    ? [
        { ...where, ...named, function: { name: call.name.slice(0, half), arguments: '' } },
        { ...where, function: { name: call.name.slice(half) } },
      ]
    : [{ ...where, ...named, function: { name: call.name, arguments: '' } }];
  const repeated = faults.repeatNames ? named : {};
  const name = faults.repeatNames ? { name: call.name } : {};
  const pieces = cut(argumentsOf(call) as string, chunks);
  return [
    ...opening,
    ...pieces.map((piece) => ({ ...where, ...repeated, function: { ...name, arguments: piece } })),
  ];
}

function textOf({ text, thinking, toolCalls, faults }: ScriptedReply): string | null {
  if (thinking !== undefined && faults?.thinkInText) return `<think>${thinking}</think>${text ?? ''}`;
  return text ?? (toolCalls ? null : '');
}

function argumentsOf({ arguments: args }: ScriptedCall, asObject = false): unknown {
  return asObject || typeof args === 'string' ? args : JSON.stringify(args);
}

const idOf = (call: ScriptedCall, index: number, position: number): string =>
  call.id ?? `call_${index}_${position}`;

function finishOf({ finish, toolCalls, faults }: ScriptedReply): string {
  if (faults?.finishStop) return 'stop';
  return finish ?? (toolCalls ? 'tool_calls' : 'stop');
}

/** Four characters to a token. */
function usageOf(request: ScriptedRequest, reply: ScriptedReply): object {
  const input = Math.ceil(JSON.stringify([request.messages, request.tools ?? []]).length / 4);
  const output = Math.ceil(JSON.stringify([reply.text ?? '', reply.toolCalls ?? []]).length / 4);
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    ...reply.usage,
  };
}

/** About equal pieces, never in the middle of a surrogate pair; none of an empty text. */
function cut(text: string, pieces: number): string[] {
  const characters = Array.from(text);
  const size = Math.max(1, Math.ceil(characters.length / pieces));
  return Array.from({ length: Math.ceil(characters.length / size) }, (_, index) =>
    characters.slice(index * size, (index + 1) * size).join(''),
  );
}
