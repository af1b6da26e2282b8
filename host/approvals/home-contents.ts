import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { User } from '../core/platform/places.ts';
import { pegboard } from '../core/own-command.ts';
import {
  brokenConfig,
  loadConfig,
  readOwnFiles,
  type HostConfig,
  loadConfigWithoutSecrets,
} from '../config.ts';
import { readDotenv } from '../core/documents/dotenv.ts';
import { describeDiagnostic } from '../core/documents/describe-diagnostic.ts';
import { exactText } from '../core/foreign/shown-text.ts';
import { realPathOf } from '../core/files/paths.ts';
import { isProjectHome } from '../core/files/project.ts';
import { readTextFile } from '../core/files/text-file.ts';
import type { WrittenConfig } from '../formats/config.ts';
import { discoverPlugins } from '../plugins/loading/discover.ts';
import { homeFiles } from '../sources/manifests/files/home-files.ts';
import { databaseFileOf } from '../store/database/file.ts';
import { linksOut, requireOwnData } from '../store/owner/private-links.ts';
import { actionsIn } from './actions-in.ts';
import { allowedIn } from './allowed-in.ts';
import { otherSettings, otherSettingsOfServer } from './other-settings.ts';
import { toJson } from '../core/documents/written-numbers.ts';

/**
 * Everything in a home that would run or be contacted, each on one line, with hidden characters spelled out, for its user
 * to decide. Only reads files. Throws PEG_CONFIG for a configuration that can't be read: what it would run once it is
 * fixed is unknown. Throws PEG_DENIED where its data is that of another home.
 */
export async function homeContents(home: string, user: User): Promise<readonly string[]> {
  requireOwnData(home, user);
  // Variables stay as they are written, because their values must not be shown. Only confirm and provenance, which are one of a few words, are shown by value.
  const loaded = await loadConfig(home, { ...user, resolve: (name) => `\${${name}}` });
  const { config: effective } = await loadConfigWithoutSecrets(home, user);
  const { confirm, provenance } = effective;
  const { diagnostics } = loaded;
  const config = { ...loaded.config, confirm, provenance };
  if (diagnostics.some(({ severity, code }) => severity === 'error' && code !== 'bad-server'))
    throw brokenConfig(loaded);
  return [
    ...serversIn(config),
    ...diagnostics.map(describeDiagnostic),
    ...(await pluginsIn(home, config)),
    ...agentsIn(home),
    ...toolsIn(home, user),
    ...spacesIn(config),
    ...settingsIn(config),
    ...otherSettings((readOwnFiles(home).document?.value ?? {}) as WrittenConfig),
    ...rulesIn(config),
    ...variablesIn(home, user),
    ...dataIn(home),
  ].map(onOneLine);
}

/** One line each, so that no entry can imitate another. */
const onOneLine = (text: string): string => exactText(text).replaceAll('\n', '\\u{a}');

function* serversIn({ servers }: HostConfig): Iterable<string> {
  for (const [name, { config }] of servers) {
    if (config.enabled === false) continue;
    const { command, args = [], url, trust = false } = config;
    const says = trust ? ', whose changes need no approval (trust: true)' : '';
    yield `MCP server ${name}${says}: ${url ?? [command, ...args].join(' ')}`;
    for (const setting of otherSettingsOfServer(config)) yield `MCP server ${name}, ${setting}`;
  }
}

/** Code of plugins and spaces. */
async function pluginsIn(home: string, { plugins }: HostConfig): Promise<readonly string[]> {
  const { manifests, diagnostics } = await discoverPlugins(home, plugins);
  const found = manifests
    .filter(({ builtin, id }) => !builtin && plugins[id]?.enabled !== false)
    .map(({ id, folder, dynamic }) => {
      const what = dynamic ? `code of the space ${dynamic.space}` : `plugin ${id}`;
      const asks = plugins[id]?.trusted === true ? ', which runs without confirmation' : '';
      return `${what}${asks}: ${relative(home, folder)}`;
    });
  // Once fixed they are plugins like the others.
  return [...found, ...diagnostics.map(describeDiagnostic)];
}

/** Hooks and set-up steps. */
function* agentsIn(home: string): Iterable<string> {
  for (const { kind, path, boundary } of homeFiles(home)) {
    if (kind !== 'agent') continue;
    const text = readTextFile(path, boundary).text ?? '';
    for (const run of actionsIn(path, text)) yield `hook or set-up step of ${relative(home, path)}: ${run}`;
    for (const { key, allowed } of allowedIn(text, path))
      yield `what runs without a question (${key}) in ${relative(home, path)}: ${allowed.join(', ')}`;
  }
}

/** Calls that need no question, as the home's own files say. */
function* rulesIn({ permissions }: HostConfig): Iterable<string> {
  const ofAgents = [...permissions.agents].map(([id, own]) => [` for ${id}`, own] as const);
  for (const [whom, { allow }] of [['', permissions] as const, ...ofAgents])
    if (allow.length > 0)
      yield `what runs without a question (permissions.allow)${whom}: ${allow.map(({ text }) => text).join(', ')}`;
}

function* toolsIn(home: string, user: User): Iterable<string> {
  const files = homeFiles(home).filter(({ kind }) => kind === 'tool' || kind === 'space');
  const commands = files.flatMap(({ path, boundary }) =>
    actionsIn(path, readTextFile(path, boundary).text ?? '').map((run) => `${relative(home, path)}: ${run}`),
  );
  const { length } = commands;
  // The spaces of a project's home are approved with it.
  if (isProjectHome(home, user)) yield* commands.map((command) => `tool ${command}`);
  else if (length > 0)
    yield `${length} ${length === 1 ? 'command' : 'commands'} of tools, run when they are called: ${pegboard} tools`;
}

function* spacesIn({ spaces }: HostConfig): Iterable<string> {
  for (const [id, { trusted }] of Object.entries(spaces))
    if (trusted === true) yield `space ${id}, whose changes need no approval (trusted: true)`;
}

/** What the home would allow without asking, and to whom. */
function* settingsIn({ models, confirm, provenance, plugins, serve, state }: HostConfig): Iterable<string> {
  if (state !== undefined)
    yield `state, the database that conversations, memory and schedules are kept in: ${withoutPassword(state)}`;
  for (const [id, { base_url: url }] of Object.entries(models.providers ?? {}))
    if (url !== undefined) yield `models of ${id}, which receive conversations: ${url}`;
  const { embeddings, transcription, speech } = models;
  const others = [
    ['embeddings of conversations', embeddings],
    ['transcription, which receives voice messages', transcription],
    ['speech, which receives answers', speech],
  ] as const;
  for (const [what, entry] of others) if (entry?.base_url !== undefined) yield `${what}: ${entry.base_url}`;
  for (const [id, { config = {} }] of Object.entries(plugins))
    if (Object.keys(config).length > 0) yield `settings of the plugin ${id}: ${toJson(config)}`;
  for (const key of ['allowedHosts', 'allowedOrigins'] as const)
    if (serve[key] !== undefined) yield `serve.${key}: ${serve[key].join(', ')}`;
  if (provenance !== 'strict')
    yield `provenance: ${provenance}, so fewer calls need confirmation after untrusted content was read`;
  if (confirm === 'never') yield 'confirm: never, so that no tool asks before it runs';
}

/** Also where the address has variables, or a password with an unescaped @ or /. */
const withoutPassword = (address: string): string =>
  address.replace(/(?<=:\/\/[^:@/]*):.*@/, '@').replaceAll(/(?<=[?&]password=)[^&]*/g, '…');

/** URLs, keys and models come from there too. */
function* variablesIn(home: string, user: User): Iterable<string> {
  const names = Object.keys(readDotenv(join(home, '.env'), user));
  if (names.length > 0) yield `variables that Pegboard takes from .env: ${names.join(', ')}`;
}

function* dataIn(home: string): Iterable<string> {
  for (const { link, target } of linksOut(home))
    yield `${relative(realPathOf(home), link)}, a link to where it is read and written: ${target}`;
  if (existsSync(databaseFileOf(home))) yield 'data/pegboard.db: conversations, memory, schedules';
  if (existsSync(join(home, 'node_modules')))
    yield 'node_modules: packages that servers and plugins may load';
}
