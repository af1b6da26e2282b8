import { HttpRoutes, pegboard, toJson } from 'pegboard';
import type { Host } from 'pegboard/embed';
import { HttpPage, type RunningServer } from 'pegboard/serving';
import { type Context, parseAddress, type Surface } from 'pegboard/terminal';
import { serveHttp, type HttpServer } from '../http/http.ts';
import { toServedHost } from './to-served-host.ts';

/** MCP, and the page in the browser at "/". */
export async function startHttp(host: Host, context: Context): Promise<RunningServer> {
  const { options, command } = context;
  const { stateFolder } = host;
  const { token, allowedHosts, allowedOrigins, oauth } = host.config.serve;
  const preset = options.value('preset');
  await using opening = new AsyncDisposableStack();
  const shared = await host.sharedServing();
  const page = await host.plugins.use(HttpPage, { fallback: noPage })((pages) => pages.open(host));
  if (page) opening.use(page);
  const server = await serveHttp(toServedHost(host, context), {
    ...parseAddress(options.value('http')!, command),
    ...(token !== undefined && { token }),
    ...(preset !== undefined && { preset }),
    ...(allowedHosts && { hosts: allowedHosts }),
    ...(allowedOrigins && { origins: allowedOrigins }),
    ...(oauth && { login: oauth }),
    ...(shared && { shared }),
    ...(page && { page }),
    added: host.plugins.all(HttpRoutes),
    stateFolder,
  });
  if (page) opening.use(await page.servedAt(new URL(server.url).origin));
  const opened = opening.move();
  return {
    url: server.url,
    show: (err) =>
      showConnection(err, server, { isConfigured: token !== undefined, hasPage: page !== undefined }),
    async close() {
      await opened.disposeAsync();
      await server.close();
    },
  };
}

const noPage: HttpPage = { open: async () => undefined };

function showConnection(
  err: Surface,
  { url, token, login }: HttpServer,
  { isConfigured, hasPage }: { readonly isConfigured: boolean; readonly hasPage: boolean },
): void {
  const { style } = err;
  const shown = isConfigured ? '$PEGBOARD_TOKEN' : token;
  const entry = { mcpServers: { pegboard: { url, headers: { Authorization: `Bearer ${shown}` } } } };
  err.line(`${style.good('serving')} ${style.title(url)}`);
  err.line(
    isConfigured
      ? `${style.quiet('token')}    serve.token of pegboard.yaml`
      : `${style.quiet('token')}    ${token}  ${style.quiet('(kept for this home, unless pegboard.yaml sets serve.token)')}`,
  );
  if (login) {
    err.line(`${style.quiet('login')}    ${login.url}  ${style.quiet('(for clients that log in)')}`);
    err.line(
      `${style.quiet('code')}     ${style.name(login.code)}  ${style.quiet('(lets one in; new at each start)')}`,
    );
  }
  if (hasPage) err.line(`${style.quiet('page')}     \`${pegboard} dashboard\` opens it in the browser`);
  err.line(
    `\n${style.title('Claude Code')}  claude mcp add --transport http pegboard ${url} --header "Authorization: Bearer ${shown}"`,
  );
  err.line(`${style.title('Cursor')}       in .cursor/mcp.json: ${toJson(entry)}`);
  err.line(`\n${style.quiet('Ctrl-C stops.')}`);
}
