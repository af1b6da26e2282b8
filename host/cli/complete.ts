import type { Snapshot } from '../api/source.ts';
import type { RegisteredTool } from '../api/tool.ts';
import type { Command } from './command.ts';
import { globalOptions } from './parse.ts';
import { propertiesOf } from './values.ts';

/** What completion may look up. Each is called only when it is needed. */
export interface Known {
  /** All of them, those of plugins too. */
  commands(): Promise<readonly Command[]>;
  snapshot(): Promise<Snapshot>;
  servers(): Promise<readonly string[]>;
}

/** Candidates for the last word, which may be empty. Those that end in "=" need a value. */
export async function complete(words: readonly string[], known: Known): Promise<readonly string[]> {
  const last = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  const candidates = await candidatesFor(before, last, known);
  return [...new Set(candidates)].filter((candidate) => candidate.startsWith(last));
}

async function candidatesFor(
  before: readonly string[],
  last: string,
  known: Known,
): Promise<readonly string[]> {
  const plain = before.filter((word) => !word.startsWith('-'));
  const commands = await known.commands();
  const command = commandOf(plain, commands);
  if (last.startsWith('-')) return optionsOf(command);
  if (plain.length === 0) return firstWords(commands);
  if (!command) return secondWords(plain, commands);
  const given = plain.slice(command.name.split(' ').length);
  const places = command.usage.split(' ').map((place) => place.replace(/[[\]]/g, ''));
  const place = places[given.length] ?? (places.at(-1)!.endsWith('…') ? places.at(-1)! : '');
  return candidatesAt(place.replace('…', ''), given, last, known);
}

function commandOf(words: readonly string[], commands: readonly Command[]): Command | undefined {
  return (
    commands.find(({ name }) => name === words.slice(0, 2).join(' ')) ??
    commands.find(({ name }) => name === words[0])
  );
}

function firstWords(commands: readonly Command[]): string[] {
  return commands.filter(({ name, hidden }) => name !== '' && !hidden).map(({ name }) => name.split(' ')[0]!);
}

function secondWords([first]: readonly string[], commands: readonly Command[]): string[] {
  return commands.filter(({ name }) => name.startsWith(`${first} `)).map(({ name }) => name.split(' ')[1]!);
}

function optionsOf(command: Command | undefined): string[] {
  return [...(command?.options ?? []), ...globalOptions].map(({ name }) => `--${name}`);
}

/** Candidates by the word's name in the command's usage: TOOL, MODULE, SERVER, key=value, a|b|c. */
async function candidatesAt(
  place: string,
  given: readonly string[],
  last: string,
  known: Known,
): Promise<readonly string[]> {
  switch (place) {
    case 'TOOL':
      return toolNames(await known.snapshot());
    case 'MODULE':
      return (await known.snapshot()).sources.map(({ module }) => module);
    case 'SERVER':
      return known.servers();
    case 'COMMAND':
      return firstWords(await known.commands());
    case 'key=value': {
      const tool = (await known.snapshot()).find(given[0]!);
      return tool ? assignments(tool, last) : [];
    }
    default:
      return place.includes('|') ? place.split('|') : [];
  }
}

/** Ids, and bare names where they mean the tool. */
export function toolNames(snapshot: Snapshot): string[] {
  const tools = [...snapshot.tools.values()];
  const bare = tools.filter((tool) => snapshot.find(tool.name) === tool).map(({ name }) => name);
  return [...tools.map(({ id }) => id), ...bare];
}

/** `name=`, and after that the values that the schema names. */
export function assignments({ parameters }: RegisteredTool, last: string): string[] {
  const properties = propertiesOf(parameters);
  const at = last.indexOf('=');
  if (at < 0) return Object.keys(properties).map((name) => `${name}=`);
  const name = last.slice(0, at);
  const property = properties[name];
  const values = property?.['type'] === 'boolean' ? ['true', 'false'] : property?.['enum'];
  return Array.isArray(values) ? values.map((value) => `${name}=${String(value)}`) : [];
}
