import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { listen, readBody } from '../../../host/testing/http-server.ts';

/** A model whose answers come as the test says them, piece by piece. */
export interface PacedModel extends AsyncDisposable {
  readonly baseUrl: string;
  /** Bodies of all requests. */
  readonly requests: readonly { readonly messages: readonly { readonly content: unknown }[] }[];
  /** Sends a piece of the answer to the last request, and waits for one if there is none. */
  say(text: string): Promise<void>;
  /** Ends that answer. */
  finish(): Promise<void>;
}

export async function startPacedModel(): Promise<PacedModel> {
  const requests: { readonly messages: readonly { readonly content: unknown }[] }[] = [];
  const news = new EventTarget();
  let open: ServerResponse | undefined;
  const send = (response: ServerResponse, delta: object, finish: string | null): void => {
    const choices = [{ index: 0, delta, finish_reason: finish }];
    response.write(
      `data: ${JSON.stringify({ id: 'paced', object: 'chat.completion.chunk', created: 0, model: 'scripted', choices })}\n\n`,
    );
  };
  const answer = async (request: Parameters<typeof readBody>[0], response: ServerResponse): Promise<void> => {
    if (request.url!.endsWith('/models'))
      return void response.end('{"object":"list","data":[{"id":"scripted"}]}');
    requests.push(JSON.parse(await readBody(request)) as never);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    send(response, { role: 'assistant', content: '' }, null);
    response.once('close', () => {
      if (open === response) open = undefined;
    });
    open = response;
    news.dispatchEvent(new Event('news'));
  };
  const current = async (): Promise<ServerResponse> => {
    for (;;) {
      if (open) return open;
      await once(news, 'news');
    }
  };
  const server = await listen((request, response) => void answer(request, response));
  return {
    baseUrl: `${server.url}/v1`,
    requests,
    say: async (text) => send(await current(), { content: text }, null),
    async finish() {
      const response = await current();
      send(response, {}, 'stop');
      response.end('data: [DONE]\n\n');
      open = undefined;
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
