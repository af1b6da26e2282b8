import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer, json } from 'node:stream/consumers';
import { listen } from '../../../host/testing/http-server.ts';

interface TranscriptionRequest {
  readonly model: FormDataEntryValue | null;
  readonly format: FormDataEntryValue | null;
  readonly name: string;
  readonly type: string;
  readonly bytes: Buffer;
  readonly authorization: string | undefined;
}

/** An answer other than 200. */
interface AudioFault {
  /** Default: any. */
  readonly path?: string;
  readonly status: number;
  readonly message: string;
}

export interface AudioServer extends AsyncDisposable {
  /** With `/v1`. */
  readonly baseUrl: string;
  readonly transcriptions: readonly TranscriptionRequest[];
  readonly spoken: readonly { readonly [name: string]: unknown }[];
  /** What recordings say from now on. */
  says: string;
  /** The next requests get these, in order. */
  readonly faults: AudioFault[];
}

/** What `/audio/speech` answers. */
export const spokenBytes = Buffer.from('OggS\0 spoken');

/** A server with OpenAI's `/audio/transcriptions` and `/audio/speech`, which refuses what OpenAI refuses. */
export async function startAudioServer(): Promise<AudioServer> {
  const transcriptions: TranscriptionRequest[] = [];
  const spoken: { readonly [name: string]: unknown }[] = [];
  const faults: AudioFault[] = [];

  const transcribe = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const headers = { 'content-type': request.headers['content-type'] ?? '' };
    const form = await new Response(Uint8Array.from(await buffer(request)), { headers }).formData();
    const file = form.get('file');
    if (!(file instanceof File) || !/\.(?:flac|m4a|mp[34]|mpe?ga?|og[ga]|wav|webm)$/.test(file.name))
      return send(response, 400, { error: { message: 'Invalid file format.' } });
    transcriptions.push({
      model: form.get('model'),
      format: form.get('response_format'),
      name: file.name,
      type: file.type,
      bytes: Buffer.from(await file.arrayBuffer()),
      authorization: request.headers.authorization,
    });
    send(response, 200, { text: server.says, usage: { type: 'tokens', input_tokens: 20, output_tokens: 3 } });
  };
  const speak = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = (await json(request)) as { readonly [name: string]: unknown };
    const isWhole = ['model', 'input', 'voice'].every((name) => typeof body[name] === 'string');
    if (!isWhole || (body['input'] as string).length > 4096)
      return send(response, 400, { error: { message: 'Invalid request.' } });
    spoken.push(body);
    response.writeHead(200, { 'content-type': 'audio/ogg' }).end(spokenBytes);
  };

  const http = await listen((request, response) => {
    const at = faults.findIndex(({ path = request.url }) => path === request.url);
    const [fault] = at < 0 ? [] : faults.splice(at, 1);
    if (fault) {
      request.resume();
      response.setHeader('retry-after', '0');
      return send(response, fault.status, { error: { message: fault.message } });
    }
    if (request.url === '/v1/audio/transcriptions') return void transcribe(request, response);
    if (request.url === '/v1/audio/speech') return void speak(request, response);
    send(response, 404, { error: { message: `there is no ${request.url}` } });
  });
  const server: AudioServer = {
    baseUrl: `${http.url}/v1`,
    transcriptions,
    spoken,
    says: 'hello',
    faults,
    [Symbol.asyncDispose]: () => http[Symbol.asyncDispose](),
  };
  return server;
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
