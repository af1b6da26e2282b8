import type { MaybePromise } from '../result.ts';
import { definePoint } from './point.ts';

/** Paths that a plugin answers on the port of `start --http` and `serve --http`. */
export interface HttpRoute {
  /**
   * "/notes": this path and all below it, with letters, digits, `.`, `-` and `_` between the slashes. Paths of MCP, of
   * logins and of the page are theirs, and of two routes with one path the first one answers.
   */
  readonly path: string;
  /**
   * Who is answered. `public`: whoever reaches the port, by a name that it answers to; `client`: who sends the token of
   * the server, as MCP clients do; `owner`: the page in the browser of who is signed in.
   */
  readonly access: 'public' | 'client' | 'owner';
  /**
   * Answers a request, whose body has arrived: at most 1 MB for `public`, 16 MB otherwise. Its signal aborts when the
   * client has gone. What a browser shows of the answer runs in a sandbox of its own, so it never acts as the page. A
   * failure is answered with status 500, and its reason is in the log alone.
   */
  handle(request: Request): MaybePromise<Response>;
}

/** Read by the plugin that serves HTTP. */
export const HttpRoutes = definePoint<HttpRoute>('http.routes');
