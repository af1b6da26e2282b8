import { pegboard } from '../../core/own-command.ts';
import type { Host } from '../../host.ts';
import { userStateOf } from '../../store/owner/user-state.ts';
import type { HttpServer } from '../../mcp-server/http/http.ts';
import type { Command, Context } from '../command.ts';
import { usageError } from '../parse.ts';
import { toServedHost } from './to-served-host.ts';
import type { Surface } from '../terminal/terminal.ts';

/** "[HOST:]PORT". Throws PEG_USAGE. */
export function parseAddress(
  text: string,
  command: Command,
): { readonly address?: string; readonly port: number } {
  const [, host, digits] = /^(?:(.+):)?(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  if (digits === undefined || port > 65_535) {
    throw usageError(
      command,
      `"${text}" is not [HOST:]PORT: write 3917, or 0.0.0.0:3917 to be reachable from elsewhere.`,
    );
  }
  return host === undefined ? { port } : { address: host.replace(/^\[(.*)\]$/, '$1'), port };
}

/** MCP, and the page in the browser at "/". */
export async function startHttp(host: Host, context: Context): Promise<HttpServer> {
  const { options, command } = context;
  const { serveHttp } = await import('../../mcp-server/http/http.ts');
  const { createWeb } = await import('../../web/web.ts');
  const { noteServedPage } = await import('../../web/session/served-page.ts');
  const stateFolder = userStateOf(host.home, host.surroundings);
  const { token, allowedHosts, allowedOrigins, oauth } = host.config.serve;
  const preset = options.value('preset');
  await using opening = new AsyncDisposableStack();
  const shared = await host.sharedServing();
  const page = opening.use(createWeb(host, { stateFolder }));
  const server = await serveHttp(toServedHost(host, context), {
    ...parseAddress(options.value('http')!, command),
    ...(token !== undefined && { token }),
    ...(preset !== undefined && { preset }),
    ...(allowedHosts && { hosts: allowedHosts }),
    ...(allowedOrigins && { origins: allowedOrigins }),
    ...(oauth && { login: oauth }),
    ...(shared && { shared }),
    page,
    stateFolder,
  });
  opening.use(await noteServedPage(stateFolder, new URL(server.url).origin));
  const opened = opening.move();
  return {
    ...server,
    async close() {
      await opened.disposeAsync();
      await server.close();
    },
  };
}

/** Shows where the server is and how to connect. A generated token is shown here and nowhere else. */
export function showConnection(err: Surface, { url, token, login }: HttpServer, configured: boolean): void {
  const { style } = err;
  const shown = configured ? '$PEGBOARD_TOKEN' : token;
  const entry = { mcpServers: { pegboard: { url, headers: { Authorization: `Bearer ${shown}` } } } };
  err.line(`${style.good('serving')} ${style.title(url)}`);
  err.line(
    configured
      ? `${style.quiet('token')}    serve.token of pegboard.yaml`
      : `${style.quiet('token')}    ${token}  ${style.quiet('(kept for this home, unless pegboard.yaml sets serve.token)')}`,
  );
  if (login) {
    err.line(`${style.quiet('login')}    ${login.url}  ${style.quiet('(for clients that log in)')}`);
    err.line(
      `${style.quiet('code')}     ${style.name(login.code)}  ${style.quiet('(lets one in; new at each start)')}`,
    );
  }
  err.line(`${style.quiet('page')}     \`${pegboard} dashboard\` opens it in the browser`);
  err.line(
    `\n${style.title('Claude Code')}  claude mcp add --transport http pegboard ${url} --header "Authorization: Bearer ${shown}"`,
  );
  err.line(`${style.title('Cursor')}       in .cursor/mcp.json: ${JSON.stringify(entry)}`);
  err.line(`\n${style.quiet('Ctrl-C stops.')}`);
}
