import { readsHiddenFolders } from '../../../core/platform/browser.ts';
import { userStateOf } from '../../../store/owner/user-state.ts';
import { proofCode } from '../../../store/owner/tickets.ts';
import { fileWithLink, pageLink, servedPage } from '../../../web/session/served-page.ts';
import type { CommandHandler, Context } from '../../command.ts';
import { usageError } from '../../parse.ts';
import { openPage } from '../../serving/open-page.ts';
import { openRunning } from '../../open-running.ts';
import { openUrl } from '../../terminal/open-url.ts';
import { untilStopped } from '../../until-stopped.ts';

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

/** \`dashboard code\` */
export const runCode: CommandHandler = async ({ terminal, home, surroundings }) => {
  terminal.out.line(proofCode(userStateOf(home, surroundings)));
  terminal.err.line(terminal.err.style.quiet('Type it into the page within 10 minutes. It works once.'));
};
