import { join } from 'node:path';
import { readDocument } from '../core/documents/document.ts';
import { splitFrontMatter } from '../core/documents/front-matter.ts';
import type { PluginManifest } from '../plugins/loading/manifest.ts';
import { findManifests } from '../sources/manifests/files/manifest-files.ts';
import { actionsIn } from './actions-in.ts';
import { readRegularFile } from '../core/files/regular-file.ts';

/** What a plugin brings and wants, as its files say before any of its code runs. */
export interface PluginAsks {
  /** Ids. "dice.*": its code says which. */
  readonly tools: readonly string[];
  readonly secrets: readonly string[];
  /** Variables and secrets that it reads if they exist. */
  readonly optional: readonly string[];
  readonly variables: readonly string[];
  readonly programs: readonly string[];
  /** Plugins that it needs. */
  readonly plugins: readonly string[];
  /** Commands that it adds to `pegboard`, by name. */
  readonly commands: readonly string[];
  /** What its manifests run. */
  readonly runs: readonly string[];
  readonly hasCode: boolean;
}

export function pluginAsks(manifest: PluginManifest): PluginAsks {
  const { id, folder, boundary, packs, requires, commands, entry } = manifest;
  const manifests = findManifests(join(folder, 'tools'), boundary).paths.map((path) => ({
    path,
    text: readRegularFile(path).toString('utf8'),
  }));
  const tools = Object.entries(packs).flatMap(([pack, { tools: names = ['*'] }]) =>
    names.map((name) => `${pack}.${name}`),
  );
  return {
    tools: [
      ...tools,
      ...manifests.flatMap(({ path, text }) => idsIn(path, text).map((tool) => `${id}.${tool}`)),
    ],
    secrets: requires.secrets ?? [],
    optional: requires.optional ?? [],
    variables: requires.env ?? [],
    programs: requires.binaries ?? [],
    plugins: requires.plugins ?? [],
    commands: Object.keys(commands),
    runs: manifests.flatMap(({ path, text }) => actionsIn(path, text)),
    hasCode: entry !== '',
  };
}

function idsIn(path: string, text: string): readonly string[] {
  const parts = path.endsWith('.md') ? splitFrontMatter(text, path) : { head: text };
  if ('code' in parts) return [];
  const { id } = (readDocument(parts.head, { path, format: 'yaml' }).value ?? {}) as {
    readonly id?: unknown;
  };
  return typeof id === 'string' ? [id] : [];
}
