import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { ScriptedReply, ScriptedRequest } from '../../../host/testing/index.ts';
import { sendReply } from '../../../host/testing/scripted-model-answer.ts';

/** A model that uses tools in three of four turns; unlike the scripted model of the tests, it stores no requests. */
export async function startBusyModel(): Promise<{ readonly baseUrl: string } & AsyncDisposable> {
  let asked = 0;
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method !== 'POST') return void response.writeHead(404).end();
    const body = (await json(request)) as ScriptedRequest;
    await sendReply(response, body, replyTo(body, asked), asked++);
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function replyTo({ messages }: ScriptedRequest, asked: number): ScriptedReply {
  if (messages.at(-1).role === 'tool')
    return { text: `It is done, number ${asked}. ${'And so on. '.repeat(20)}` };
  switch (asked % 4) {
    case 0:
      return { toolCalls: [{ name: `echo-${asked % 3}__echo`, arguments: { text: `number ${asked}` } }] };
    case 1:
      return { toolCalls: [{ name: 'memory_recall', arguments: { query: `number ${asked}` } }] };
    case 2:
      return { toolCalls: [{ name: 'say', arguments: {} }] };
    default:
      return { text: `Number ${asked} needs nothing.` };
  }
}
