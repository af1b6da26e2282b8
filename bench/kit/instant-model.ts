import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** An OpenAI-compatible server that answers "pong" at once. */
export interface InstantModel extends AsyncDisposable {
  /** With `/v1`. */
  readonly baseUrl: string;
  /** Called with every request's body before it is answered. */
  onRequest: (body: string) => void;
}

export async function startInstantModel(): Promise<InstantModel> {
  const answerTo = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    model.onRequest(await text(request));
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(`data: ${answer}\n\ndata: [DONE]\n\n`);
  };
  const server = createServer((request, response) => void answerTo(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const model: InstantModel = {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    onRequest: () => {},
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return model;
}

const answer = JSON.stringify({
  id: 'instant',
  object: 'chat.completion.chunk',
  created: 0,
  model: 'instant',
  choices: [{ index: 0, delta: { role: 'assistant', content: 'pong' }, finish_reason: 'stop' }],
});
