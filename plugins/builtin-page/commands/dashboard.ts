import { readsHiddenFolders } from 'pegboard/kit';
import { userStateOf } from 'pegboard/serving';
import {
  type CommandHandler,
  type Context,
  openRunning,
  openUrl,
  untilStopped,
  usageError,
} from 'pegboard/terminal';
import { fileWithLink, pageLink, servedPage } from '../session/served-page.ts';
import { openPage } from '../open-page.ts';

export const run: CommandHandler = async (context) => {
  const { terminal, home, surroundings, signal } = context;
  const port = portFrom(context);
  const served = servedPage(userStateOf(home, surroundings));
  if (served !== undefined) return showLink(context, served);
  const host = await openRunning(context, { mcp: 'connect', watch: true });
  const page = await openPage(host, port);
  showLink(context, page.origin);
  if (context.keep) return context.keep(page);
  await using _page = page;
  await using _tidying = host.keepTidy();
  await using _asking = await host.askAboutPending();
  terminal.err.line(terminal.err.style.quiet('Ctrl-C stops.'));
  await untilStopped(signal);
};

/** Opens it too, where there is a desktop. */
function showLink({ terminal, options, home, surroundings }: Context, origin: string): void {
  const link = pageLink(userStateOf(home, surroundings), origin);
  terminal.out.line(link);
  terminal.err.line(
    terminal.err.style.quiet('This link works once, within a minute; then the browser stays signed in.'),
  );
  if (options.flag('no-open')) return;
  openUrl(
    readsHiddenFolders(surroundings.env) ? fileWithLink(userStateOf(home, surroundings), link) : link,
    surroundings,
  );
}

function portFrom({ options, command }: Context): number | undefined {
  const given = options.value('port');
  if (given === undefined) return undefined;
  const port = Number(given);
  if (/^\d{1,5}$/.test(given) && port <= 65_535) return port;
  throw usageError(command, `--port takes a number up to 65535, not "${given}".`);
}
