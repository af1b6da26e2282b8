import { join } from 'node:path';
import type { JsonSchema } from 'pegboard';
import type { Host } from 'pegboard/embed';
import {
  loadConfig,
  shownFile,
  shownSetting,
  variablesOf,
  writtenConfigFile,
  type WrittenSetting,
  writtenSettings,
} from 'pegboard/home';
import { configFiles, pegboardSchema, readTextFile } from 'pegboard/kit';
import { toDiagnosticRow } from '../api/diagnostic-row.ts';
import type { SettingRow, SettingsFile, SettingsView } from './wire.ts';

/** The configuration of a home without its secrets, as its files say it now. */
export async function settingsOf(host: Host): Promise<Omit<SettingsView, 'about'>> {
  const { home, surroundings } = host;
  const variables = variablesOf(host);
  const { broken, unreadable, diagnostics } = await loadConfig(home, {
    ...surroundings,
    resolve: (name) => variables[name],
  });
  const isUsed = !broken && !unreadable;
  const written = isUsed ? writtenSettings(home).filter(({ path }) => path[0] !== 'mcpServers') : [];
  const set = new Set(written.map(({ path }) => path.join('.')));
  return {
    files: await Promise.all(configFiles.map((name) => toFile(name, host))),
    written: written.map((one) => toRow(one)),
    defaults: [...defaultsIn(pegboardSchema as JsonSchema, [])].filter(({ name }) => !isSet(name, set)),
    problems: isUsed
      ? []
      : diagnostics.filter(({ severity }) => severity === 'error').map((one) => toDiagnosticRow(one, home)),
    writesTo: writtenConfigFile(home),
  };
}

/** It or what it is a part of: a short form may stand for several. */
const isSet = (name: string, set: ReadonlySet<string>): boolean =>
  name.split('.').some((_, at, parts) => set.has(parts.slice(0, at + 1).join('.')));

async function toFile(name: string, { home }: Host): Promise<SettingsFile> {
  const path = join(home, name);
  const file = readTextFile(path, [home]);
  if (file.text === undefined) {
    const [why] = file.diagnostics;
    return { name, path, exists: !file.missing, ...(!file.missing && why && { withheld: why.message }) };
  }
  const format = name.endsWith('.json') ? 'json' : 'yaml';
  const text = file.text.trim() === '' ? file.text : await shownFile(file.text, { path, format });
  const withheld = 'It can’t be parsed, so nobody can tell what in it is secret: its text is not shown.';
  return { name, path, exists: true, ...(text === undefined ? { withheld } : { text }) };
}

function toRow({ path, value, file, line }: WrittenSetting): SettingRow {
  const description = descriptionOf(path);
  return {
    name: path.join('.'),
    value: shownSetting(path, value),
    place: `${file}:${line}`,
    ...(description !== undefined && { description }),
  };
}

type Described = JsonSchema & {
  readonly description?: string;
  readonly default?: unknown;
  readonly properties?: { readonly [name: string]: Described };
  readonly additionalProperties?: Described | boolean;
};

function descriptionOf(path: readonly string[]): string | undefined {
  let at: Described | undefined = pegboardSchema;
  for (const step of path) {
    const { properties = {}, additionalProperties: others }: Described = at;
    at = Object.hasOwn(properties, step) ? properties[step] : typeof others === 'object' ? others : undefined;
    if (!at) return undefined;
  }
  return at.description;
}

/** Of settings that are not members of a map with names of the owner's choosing. */
function* defaultsIn({ properties = {} }: Described, path: readonly string[]): Iterable<SettingRow> {
  for (const [name, schema] of Object.entries(properties)) {
    const at = [...path, name];
    if (schema.default !== undefined)
      yield {
        name: at.join('.'),
        value: shownSetting(at, schema.default),
        ...(schema.description !== undefined && { description: schema.description }),
      };
    yield* defaultsIn(schema, at);
  }
}
