import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { listen, readBody } from './http-server.ts';
import type { Script, ScriptedReply, ScriptedRequest } from './script.ts';
import { sendReply } from './scripted-model-answer.ts';
import { whatIsWrong } from './scripted-model-checks.ts';
import { embed } from './scripted-model-embeddings.ts';
import { parseJson } from '../core/documents/written-numbers.ts';

export interface ScriptedModelOptions {
  /** Other keys are refused with 401. */
  readonly apiKey?: string;
  /** What `/models` lists: entries with an id, and whatever else a provider says. */
  readonly models?: readonly { readonly id: string; readonly [key: string]: unknown }[];
  /** Requests with `tools` are refused with this message, as by a server that can't call tools. */
  readonly refuseTools?: string;
  /** Status of every answer of `/embeddings`: 404 where there are none. */
  readonly embeddingStatus?: number;
}

export interface ScriptedModel extends AsyncDisposable {
  /** With `/v1`: what OPENAI_BASE_URL takes. */
  readonly baseUrl: string;
  /** Every request for a chat completion, the refused ones too. */
  readonly requests: readonly ScriptedRequest[];
  /** Their Authorization headers and the like, in the same order. */
  readonly headers: readonly IncomingMessage['headers'][];
  /** Why requests were refused: a test that expects none should look. */
  readonly refusals: readonly string[];
  /** How often `/models` was asked for. */
  readonly listings: number;
  readonly embeddingRequests: readonly { readonly model: string; readonly input: readonly string[] }[];
  /** Resolves when the request with this index has come. */
  received(index: number): Promise<ScriptedRequest>;
  /** Resolves when the connection of the request is closed, whether the response was complete or the caller disconnected. */
  closed(index: number): Promise<void>;
}

/**
 * An OpenAI-compatible server in this process: `/chat/completions` with and without streaming, `/models` and
 * `/embeddings`. A history that a real provider would refuse is refused with 400, and so is a request for which the
 * script has no reply.
 */
export async function startScriptedModel(
  script: Script = [],
  options: ScriptedModelOptions = {},
): Promise<ScriptedModel> {
  const requests: ScriptedRequest[] = [];
  const headers: IncomingMessage['headers'][] = [];
  const refusals: string[] = [];
  const embeddingRequests: { model: string; input: string[] }[] = [];
  const closings: Promise<void>[] = [];
  const news = new EventTarget();
  let answered = 0;
  let listings = 0;

  const complete = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = parseJson(await readBody(request)) as ScriptedRequest;
    closings.push(new Promise((resolve) => void response.once('close', resolve)));
    headers.push(request.headers);
    requests.push(body);
    news.dispatchEvent(new Event('news'));
    const wrong = options.refuseTools !== undefined && body.tools ? options.refuseTools : whatIsWrong(body);
    if (wrong !== undefined) {
      refusals.push(wrong);
      return sendError(response, 400, wrong);
    }
    const index = answered++;
    const reply = await replyTo(script, body, index);
    if (typeof reply === 'string') {
      refusals.push(reply);
      return sendError(response, 400, reply);
    }
    return sendReply(response, body, reply, index);
  };

  const answerEmbeddings = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = parseJson(await readBody(request)) as { model: string; input: string | string[] };
    const input = [body.input].flat();
    embeddingRequests.push({ model: body.model, input });
    if (options.embeddingStatus) return sendError(response, options.embeddingStatus, 'no embeddings here');
    sendJson(response, 200, embed({ ...body, input }));
  };

  const server = await listen((request, response) => {
    const path = new URL(request.url!, 'http://localhost').pathname;
    if (options.apiKey !== undefined && request.headers.authorization !== `Bearer ${options.apiKey}`) {
      return sendError(response, 401, 'Incorrect API key provided');
    }
    if (path.endsWith('/chat/completions')) return void complete(request, response);
    if (path.endsWith('/embeddings')) return void answerEmbeddings(request, response);
    if (path.endsWith('/models')) {
      listings++;
      const models = options.models ?? [{ id: 'scripted' }];
      const data = models.map((model) => ({ object: 'model', owned_by: 'test', ...model }));
      return sendJson(response, 200, { object: 'list', data });
    }
    return sendError(response, 404, `there is no ${path}`);
  });

  const until = async <T>(find: () => T | undefined): Promise<T> => {
    for (;;) {
      const found = find();
      if (found !== undefined) return found;
      await once(news, 'news');
    }
  };
  return {
    baseUrl: `${server.url}/v1`,
    requests,
    headers,
    refusals,
    get listings() {
      return listings;
    },
    embeddingRequests,
    received: (index) => until(() => requests[index]),
    closed: async (index) => {
      await until(() => requests[index]);
      await closings[index];
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** The reply, or an error. */
async function replyTo(
  script: Script,
  request: ScriptedRequest,
  index: number,
): Promise<ScriptedReply | string> {
  try {
    const reply = typeof script === 'function' ? await script(request, index) : script[index];
    return reply ?? `the script has ${index} replies, and this is request ${index + 1}`;
  } catch (thrown) {
    return `the script failed: ${String(thrown)}`;
  }
}

function sendError(response: ServerResponse, status: number, message: string): void {
  sendJson(response, status, { error: { message, type: 'invalid_request_error', param: null, code: null } });
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** The `models` section of a pegboard.yaml with only this model. */
export function modelsOf({ baseUrl }: Pick<ScriptedModel, 'baseUrl'>): {
  readonly default: string;
  readonly providers: { readonly [name: string]: object };
} {
  return { default: 'scripted/test', providers: { scripted: { base_url: baseUrl, native_tool_use: true } } };
}
