import { PegboardError } from 'pegboard';
import type { Host } from 'pegboard/embed';
import {
  installOptionsOf,
  kindsOf,
  openHomeRegistry,
  type RegistryServer,
  type RequestedInput,
  shortNameOf,
  toServerName,
  valueIn,
  wrongValue,
} from 'pegboard/home';
import type { Draft } from './draft.ts';
import type { FoundDetails, FoundInput, FoundRow, FoundServer } from './wire.ts';

/** Servers that a search lists at most. */
const maxFound = 50;

/** Best first. */
export async function searchRegistry(
  query: string,
  host: Host,
  signal: AbortSignal,
): Promise<{ readonly registry: string; readonly found: readonly FoundRow[]; readonly left: number }> {
  const words = query.split(/\s+/).filter((word) => word !== '');
  if (words.length === 0) throw new PegboardError('PEG_USAGE', 'Type at least one word.');
  const registry = openHomeRegistry(host.home, host.config);
  const found = await registry.search(words, signal);
  return {
    registry: registry.address,
    found: found.slice(0, maxFound).map(toRow),
    left: Math.max(0, found.length - maxFound),
  };
}

export async function foundDetails(
  entry: string,
  version: string,
  host: Host,
  signal: AbortSignal,
): Promise<FoundDetails> {
  const server = await entryOf(entry, version, host, signal);
  const { repository, statusMessage } = server;
  const name = toServerName(shortNameOf(server.name));
  return {
    ...toRow(server),
    ...(repository !== undefined && { repository }),
    ...(statusMessage !== undefined && { statusMessage }),
    name,
    ways: installOptionsOf(server, name).map((way) =>
      'refused' in way
        ? { ...way, inputs: [] }
        : { kind: way.kind, what: way.what, inputs: way.wanted.map(toInput) },
    ),
  };
}

/** The entry of a server in a registry with the answers that were typed. Secrets stay beside it. */
export async function chooseFound(wanted: FoundServer, host: Host, signal: AbortSignal): Promise<Draft> {
  const server = await entryOf(wanted.entry, wanted.version, host, signal);
  if (server.status === 'deleted')
    throw new PegboardError(
      'PEG_DENIED',
      `${server.name} was removed from the registry. Nothing was changed.`,
    );
  const way = installOptionsOf(server, wanted.name).find(
    ({ kind, what }) => kind === wanted.kind && what === wanted.what,
  );
  if (!way) throw new PegboardError('PEG_USAGE', `${server.name} has no "${wanted.what}" any more.`);
  if ('refused' in way) throw new PegboardError('PEG_DENIED', `${way.what} can't be added: ${way.refused}.`);
  const answers = new Map<string, readonly string[]>();
  const typed = new Map<string, string>();
  const value = valueIn(host);
  for (const input of way.wanted) {
    const answer = wanted.answers[input.key] ?? '';
    if (answer === '') continue;
    const wrong = wrongValue(input, answer);
    if (wrong !== undefined) throw new PegboardError('PEG_USAGE', `${input.key} ${wrong}.`);
    if (input.isSecret !== true) {
      answers.set(input.key, [answer]);
      continue;
    }
    const { variable } = input;
    if ((value(variable) ?? answer) !== answer)
      throw new PegboardError(
        'PEG_USAGE',
        `${variable} has another value here, which other tools may use. Leave ${input.key} empty to use that one.`,
      );
    answers.set(input.key, [`\${${variable}}`]);
    typed.set(variable, answer);
  }
  return {
    server: { as: wanted.name, config: way.toConfig(answers) },
    typed,
    descriptions: new Map(
      way.wanted.flatMap(({ variable, description }) =>
        description === undefined ? [] : [[variable, description] as const],
      ),
    ),
  };
}

/** Throws PEG_USAGE. */
async function entryOf(
  entry: string,
  version: string,
  { home, config }: Host,
  signal: AbortSignal,
): Promise<RegistryServer> {
  const found = await openHomeRegistry(home, config).get(entry, version, signal);
  if (!found) throw new PegboardError('PEG_USAGE', `The registry has no ${entry} ${version} any more.`);
  return found;
}

const toRow = (server: RegistryServer): FoundRow => ({
  entry: server.name,
  version: server.version,
  ...(server.title !== undefined && { title: server.title }),
  description: server.description,
  status: server.status,
  kinds: kindsOf(server),
});

const toInput = (input: RequestedInput): FoundInput => ({
  key: input.key,
  place: input.place,
  ...(input.description !== undefined && { description: input.description }),
  ...(input.choices !== undefined && input.choices.length > 0 && { choices: input.choices }),
  ...(input.default !== undefined && input.isSecret !== true && { preset: input.default }),
  isRequired: input.isRequired === true,
  isSecret: input.isSecret === true,
});
