import type { Host } from 'pegboard/embed';
import { HttpPage } from 'pegboard/serving';
import { serveWeb, type WebServer } from './serve-web.ts';

/** The same each time, so that a browser stays signed in; where it is in use, a free one. */
const usualPort = 3918;

/** Serves the page of a host on this machine, and lets other processes know where. Throws PEG_CONFIG. */
export async function openPage(host: Host, port: number | undefined): Promise<WebServer> {
  await using opening = new AsyncDisposableStack();
  const web = opening.use((await host.plugins.use(HttpPage)((pages) => pages.open(host)))!);
  const { origin, ...server } = await (port === undefined
    ? serveWeb(web, usualPort).catch(() => serveWeb(web, 0))
    : serveWeb(web, port));
  opening.use(server);
  opening.use(await web.servedAt(origin));
  const opened = opening.move();
  return { origin, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}
