import type { IncomingMessage, ServerResponse } from 'node:http';
import { defineToken } from '../../api/services/token.ts';
import type { UnauthenticatedLimit } from '../../core/http/unauthenticated-limit.ts';
import type { Host } from '../../host.ts';
import type { Context } from '../command.ts';
import type { Surface } from '../terminal/terminal.ts';

/** A server that listens. */
export interface RunningServer {
  /** The URL of `/mcp`. */
  readonly url: string;
  /** Shows where it is and how to connect. A generated token is shown here and nowhere else. */
  show(err: Surface): void;
  /** Waits briefly for running calls; takes at most 2 s. */
  close(): Promise<void>;
}

/** Serves a host over HTTP, as the command's options say. */
export interface HttpServing {
  /** Throws PEG_CONFIG when it can't listen, PEG_USAGE for wrong options. */
  start(host: Host, context: Context): Promise<RunningServer>;
}
export const HttpServing = defineToken<HttpServing>('http-serving', 'serving over HTTP');

/** A page that is served beside MCP. It knows by itself who may do what. */
export interface ServedPage extends AsyncDisposable {
  /** Whether the path is the page's. */
  has(path: string): boolean;
  /** Whether other sites may send a browser to it. */
  isLinkable(path: string): boolean;
  /** Host and origin were checked before. Never rejects. */
  handle(request: IncomingMessage, response: ServerResponse, limit: UnauthenticatedLimit): Promise<void>;
  /** Whether the page of somebody who is signed in sends it. */
  isOwner(request: IncomingMessage): boolean;
  /** Lets other processes know where it is, until it is closed. */
  servedAt(origin: string): Promise<Disposable>;
}

/** The page in the browser. */
export interface HttpPage {
  /** Undefined: there is none. */
  open(host: Host): Promise<ServedPage | undefined>;
}
export const HttpPage = defineToken<HttpPage>('http-page', 'a page in the browser');
