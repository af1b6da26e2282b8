import { parseJson, pegboard, PegboardError, toJson } from 'pegboard';
import { nearest } from 'pegboard/channels';
import { diffOf } from 'pegboard/files';
import { type ClientFile, clientPlaces, flatEntry, isPegboard, isWithin, packageRoot } from 'pegboard/kit';
import {
  type CommandHandler,
  type Context,
  createAsk,
  oneLine,
  usageError,
  warn,
  withMargin,
} from 'pegboard/terminal';
import { applyChange, planChange, type FileChange } from '../connect/change-file.ts';
import { fileOf, isClientId, knownClients, type KnownClient, type OwnServer } from '../connect/clients.ts';
import { ownServer } from '../connect/own-server.ts';

export const run: CommandHandler = async (context) => {
  const { options, terminal } = context;
  const name = options.value('name') ?? 'pegboard';
  const client = clientOf(context);
  const isRemoval = options.flag('remove');
  const file = settingsOf(client, context);
  const server = isRemoval ? undefined : await ownServer(context);
  const entry = server && client.toEntry(server);
  if (server && !entry)
    throw usageError(context.command, `${client.title} can't connect over HTTP: leave out --http.`);
  const change = await planChange(file, name, entry);
  checkOwner(change, name, client);
  const isChange = change.before !== change.after;
  const wanted = isChange && !options.flag('dry-run');
  if (isChange && options.flag('project') && tokenOf(server) !== undefined)
    warn(
      terminal,
      `${oneLine(change.path)} belongs to a project and gets the token of this home: anybody who gets the file can use everything that is served. Leave out --project, or keep the file out of version control`,
    );
  if (isChange && !options.flag('json')) show(change, server, context);
  if (wanted) {
    await confirm(change, context);
    await applyChange(change, {
      isRemoval,
      isSecret: tokenOf(server) !== undefined,
      user: context.surroundings,
    });
  }
  if (!isRemoval && packageRoot.includes('/_npx/'))
    warn(terminal, 'this Pegboard is in a folder that npx may clear: install it to keep the entry working');
  if (options.flag('json'))
    return terminal.json({
      client: context.words[0],
      path: change.path,
      name,
      action: !isChange ? 'none' : isRemoval ? 'remove' : change.existing === undefined ? 'add' : 'replace',
      written: wanted,
      ...(server && { entry: parseJson(hideToken(toJson(entry), server)) }),
    });
  report({ client, change, isChange, wanted, isRemoval }, context);
};

function clientOf({ words: [id = ''], command }: Context): KnownClient {
  if (isClientId(id)) return knownClients[id];
  const [near] = nearest(id, Object.keys(knownClients));
  throw usageError(
    command,
    `There is no client "${id}". ${near === undefined ? `The clients are ${Object.keys(knownClients).join(', ')}.` : `Did you mean ${near}?`}`,
  );
}

function settingsOf(client: KnownClient, { options, command, surroundings }: Context): ClientFile {
  const isProject = options.flag('project');
  const file =
    isProject && client.userOnly
      ? undefined
      : fileOf(client, clientPlaces(surroundings), isProject ? 'project' : 'user');
  if (!file) throw usageError(command, `${client.title} has no settings of its own in a project.`);
  return file;
}

/** Refuses to replace an entry that isn't Pegboard's. Throws PEG_USAGE. */
function checkOwner({ existing, path }: FileChange, name: string, { title }: KnownClient): void {
  if (existing === undefined || isOurs(existing)) return;
  throw new PegboardError(
    'PEG_USAGE',
    `${title} has a server "${name}" in ${path} that isn't Pegboard; it was not changed. Use --name NAME to choose another name.`,
  );
}

function isOurs(entry: unknown): boolean {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return false;
  const { command, args, ...rest } = flatEntry(entry as Record<string, unknown>);
  if (typeof command === 'string')
    return isPegboard({ command, args: Array.isArray(args) ? args.map(String) : [] });
  const address = rest['url'] ?? rest['serverUrl'] ?? rest['httpUrl'];
  return typeof address === 'string' && /^\/mcp(\/[^/]+)?$/.test(URL.parse(address)?.pathname ?? '');
}

function show(
  { path, before = '', after = '' }: FileChange,
  server: OwnServer | undefined,
  { terminal }: Context,
): void {
  const { err } = terminal;
  err.line(err.style.title(oneLine(path)));
  const difference = hideToken(diffOf(before, after), server);
  for (const line of withMargin(difference.split('\n'), err, (text) => text)) err.line(line);
}

/** Only `pegboard serve` shows the token. */
function hideToken(text: string, server: OwnServer | undefined): string {
  const token = tokenOf(server);
  return token === undefined ? text : text.replaceAll(token, 'THE-TOKEN');
}

const tokenOf = (server: OwnServer | undefined): string | undefined =>
  server && 'url' in server ? server.headers['Authorization']?.slice('Bearer '.length) : undefined;

/** Throws PEG_NOBODY_TO_ASK and PEG_DECLINED. */
async function confirm({ path }: FileChange, { terminal, options, signal }: Context): Promise<void> {
  if (options.flag('yes')) return;
  const ask = createAsk(terminal);
  if (!ask)
    throw new PegboardError(
      'PEG_NOBODY_TO_ASK',
      'Nothing was changed: there is nobody to ask. --yes makes the change, --dry-run only shows it.',
    );
  const { action } = await ask({ message: `Make this change to ${path}?` }, signal);
  if (action !== 'accept') throw new PegboardError('PEG_DECLINED', 'Nothing was changed.');
}

interface Outcome {
  readonly client: KnownClient;
  readonly change: FileChange;
  readonly isChange: boolean;
  readonly wanted: boolean;
  readonly isRemoval: boolean;
}

function report(
  { client, change, isChange, wanted, isRemoval }: Outcome,
  { terminal, home, options, surroundings }: Context,
): void {
  const { out } = terminal;
  const path = oneLine(change.path);
  if (!isChange)
    return out.line(
      isRemoval
        ? `${client.title} has no such entry in ${path}.`
        : `${client.title} is connected already: ${path}`,
    );
  if (!wanted) return out.line('Nothing was changed.');
  if (isRemoval) return out.line(`${out.style.good('removed')} from ${path}.`);
  const kept = change.before === undefined ? '' : ` The old file is kept as ${oneLine(change.backup)}.`;
  out.line(`${out.style.good('connected:')} ${client.title} to ${oneLine(home)}.${kept} ${client.nextStep}.`);
  const http = options.value('http');
  if (http !== undefined) out.line(`It works while \`${pegboard} serve --http ${http}\` runs.`);
  if (options.flag('project') && isWithin(surroundings.cwd(), change.path))
    out.line('The entry has absolute paths of this machine, so keep the file out of version control.');
}
