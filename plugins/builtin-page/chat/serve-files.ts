import type { IncomingMessage, ServerResponse } from 'node:http';
import { PegboardError } from 'pegboard';
import { readBytes, sendJson } from 'pegboard/serving';
import { maxFileBytes } from '../channel/limits.ts';
import type { PageFiles } from '../store/page-files.ts';
import { shownImages } from './shown-images.ts';
import type { ApiFailure } from '../wire.ts';

/** Where files of chats are sent to and read from: their bytes are no JSON. */
export interface FileServer {
  /** Whether the request was for a file. */
  serve(request: IncomingMessage, response: ServerResponse, url: URL): Promise<boolean>;
}

export const uploadPath = '/api/upload';
const filePrefix = '/api/chat-file/';

export function createFileServer(files: PageFiles): FileServer {
  return {
    async serve(request, response, { pathname, searchParams }) {
      if (request.method === 'POST' && pathname === uploadPath) {
        const body = await readBytes(request, maxFileBytes);
        if (body === undefined) throw new PegboardError('PEG_CANCELLED', 'The browser has gone.');
        if ('status' in body) sendTooLarge(response);
        else {
          const named = { name: searchParams.get('name') ?? '', type: searchParams.get('type') ?? '' };
          sendJson(response, 200, await files.add(named, body.bytes), noStore);
        }
        return true;
      }
      if (request.method !== 'GET' || !pathname.startsWith(filePrefix)) return false;
      const { file, content } = await files.read(pathname.slice(filePrefix.length));
      const isShown = shownImages.test(file.type);
      response.writeHead(200, {
        'Content-Type': isShown ? file.type : 'application/octet-stream',
        'Content-Disposition': `${isShown ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeURIComponent(file.name)}`,
        'Content-Length': content.length,
        ...noStore,
      });
      response.end(content);
      return true;
    },
  };
}

const noStore = { 'Cache-Control': 'no-store' } as const;

function sendTooLarge(response: ServerResponse): void {
  const message = `A file may have at most ${maxFileBytes / 1024 / 1024} MB (${maxFileBytes} bytes).`;
  sendJson(response, 413, { error: { code: 'PEG_USAGE', message } } satisfies ApiFailure, noStore);
}
