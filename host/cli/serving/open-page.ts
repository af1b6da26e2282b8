import type { Host } from '../../host.ts';
import { userStateOf } from '../../store/owner/user-state.ts';
import { serveWeb, type WebServer } from '../../web/serve-web.ts';
import { noteServedPage } from '../../web/session/served-page.ts';
import { createWeb } from '../../web/web.ts';

/** The same each time, so that a browser stays signed in; where it is in use, a free one. */
const usualPort = 3918;

/** Serves the page of a host on this machine, and lets other processes know where. Throws PEG_CONFIG. */
export async function openPage(host: Host, port: number | undefined): Promise<WebServer> {
  const stateFolder = userStateOf(host.home, host.surroundings);
  await using opening = new AsyncDisposableStack();
  const web = opening.use(createWeb(host, { stateFolder }));
  const { origin, ...server } = await (port === undefined
    ? serveWeb(web, usualPort).catch(() => serveWeb(web, 0))
    : serveWeb(web, port));
  opening.use(server);
  opening.use(await noteServedPage(stateFolder, origin));
  const opened = opening.move();
  return { origin, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}
