import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Diagnostic } from '../../api/diagnostic.ts';
import { checkDocument } from '../../core/documents/check-document.ts';
import { pointerTo } from '../../core/documents/pointer.ts';
import { readDocument, type Document } from '../../core/documents/document.ts';
import { pluginSchema } from '../../core/documents/file-schemas.ts';
import { isWithin, packageRoot } from '../../core/files/paths.ts';
import type { Boundary } from '../../core/files/links.ts';
import { readTextFile } from '../../core/files/text-file.ts';
import type { WrittenPlugin } from '../../formats/plugin.ts';
import type { TrustStore } from '../../store/owner/trust.ts';
import { approvedIn } from './approved-code.ts';
import { checkScreens } from './check-screens.ts';
import { findDynamicPacks } from './dynamic-packs.ts';
import { nothingDeclared, type PluginManifest } from './manifest.ts';
import type { PluginSettings } from '../../formats/config.ts';
import { checkedManifests } from './shipped.ts';

export interface DiscoveredPlugins {
  readonly manifests: readonly PluginManifest[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Finds every folder with a plugin.yaml in the package's and the home's `plugins/`, without running any code. Of two
 * plugins with one id the first is used; those of the package come first. With `trust`, a plugin whose plugin.yaml is broken
 * is what the owner approved in its folder, unless it runs without approval.
 */
export async function discoverPlugins(
  home: string,
  settings: { readonly [id: string]: PluginSettings },
  trust?: TrustStore,
): Promise<DiscoveredPlugins> {
  const diagnostics: Diagnostic[] = [];
  const byId = new Map<string, PluginManifest>();
  const packages = Object.entries(settings).flatMap(([id, settingsOf]) => {
    const folder = settingsOf.package === undefined ? undefined : packageFolder(home, settingsOf.package);
    if (folder === null) diagnostics.push(missingPackage(id, settingsOf.package!, home));
    return folder ?? [];
  });
  const readFolder = reader(home);
  for (const folder of [...pluginFolders(home), ...packages]) {
    const read = await readFolder(folder);
    diagnostics.push(...read.diagnostics);
    const manifest =
      read.manifest ?? (trust && (await lastApproved(home, folder, read.diagnostics, settings, trust)));
    if (!manifest) continue;
    const rival = byId.get(manifest.id);
    if (rival) diagnostics.push(duplicate(manifest, rival));
    else byId.set(manifest.id, manifest);
  }
  return { manifests: [...byId.values(), ...findDynamicPacks(home)], diagnostics };
}

/** Reads the plugin.yaml of a folder, or what was checked when the package was built. */
function reader(home: string): (folder: string) => ReadPlugin | Promise<ReadPlugin> {
  const checked = checkedManifests();
  const packaged = realOf(join(packageRoot, 'plugins'));
  return (folder) => {
    const boundary = [home, folder];
    const written = dirname(folder) === packaged ? checked[basename(folder)] : undefined;
    if (!written) return readManifest(folder, boundary);
    return { manifest: toManifest(written, folder, boundary), diagnostics: [] };
  };
}

async function lastApproved(
  home: string,
  folder: string,
  [broken]: readonly Diagnostic[],
  settings: { readonly [id: string]: PluginSettings },
  trust: TrustStore,
): Promise<PluginManifest | undefined> {
  const approved = approvedIn(trust, folder);
  if (!approved || !broken || settings[approved.id]?.trusted === true) return undefined;
  const { manifest } = await readManifest(approved.copy, [approved.copy]);
  if (manifest?.id !== approved.id) return undefined;
  return { ...manifest, folder, path: join(folder, 'plugin.yaml'), boundary: [home, folder], broken };
}

/** Null when the package isn't installed. */
function packageFolder(home: string, name: string): string | null {
  const found = [home, packageRoot]
    .map((root) => join(root, 'node_modules', name))
    .find((folder) => existsSync(join(folder, 'plugin.yaml')));
  return found === undefined ? null : realOf(found);
}

function missingPackage(id: string, name: string, home: string): Diagnostic {
  return {
    severity: 'error',
    code: 'missing-package',
    message: `the plugin ${id} comes in the package "${name}", which is not installed or has no plugin.yaml`,
    path: join(home, 'pegboard.yaml'),
    hint: `npm install --prefix ${home} ${name}`,
  };
}

/** A clone can also be the home; its folder is read once. */
function pluginFolders(home: string): string[] {
  const parents = [...new Set([packageRoot, home].map((root) => realOf(join(root, 'plugins'))))];
  return parents.flatMap((parent) =>
    [...subfolders(parent).map((name) => join(parent, name)), ...interrupted(parent)].filter((folder) =>
      existsSync(join(folder, 'plugin.yaml')),
    ),
  );
}

/** In plugins/: the version before of a plugin that is being replaced. */
export const replacedFolder = '.replaced';

/** Where the command that replaces a plugin was killed before the new version was in its place. */
const interrupted = (parent: string): readonly string[] =>
  subfolders(join(parent, replacedFolder))
    .filter((name) => !existsSync(join(parent, name)))
    .map((name) => join(parent, replacedFolder, name));

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function subfolders(parent: string): string[] {
  try {
    return readdirSync(parent).sort();
  } catch {
    return [];
  }
}

interface ReadPlugin {
  readonly manifest?: PluginManifest;
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads the plugin.yaml of a folder. */
export async function readManifest(folder: string, boundary: Boundary): Promise<ReadPlugin> {
  const path = join(folder, 'plugin.yaml');
  const { text, diagnostics: unreadable } = readTextFile(path, boundary);
  if (text === undefined) return { diagnostics: unreadable };
  const known = parsed.get(path);
  if (known?.text === text) return { manifest: toManifest(known.written, folder, boundary), diagnostics: [] };
  const document = readDocument(text, { path, format: 'yaml' });
  if (document.diagnostics.length > 0) return { diagnostics: document.diagnostics };
  const diagnostics = await checkDocument(document, pluginSchema);
  if (diagnostics.length > 0) return { diagnostics };
  const written = document.value as WrittenPlugin;
  const misused = checkScreens(written, document);
  if (misused.length > 0) return { diagnostics: misused };
  const manifest = toManifest(written, folder, boundary);
  const warnings = [...checkName(manifest, document), ...checkReserved(manifest, document)];
  if (manifest.builtin && warnings.length === 0) parsed.set(path, { text, written });
  return { manifest, diagnostics: warnings };
}

/** What is written in the plugin.yaml files of the package, by path, so that the hosts of a process parse a text once. */
const parsed = new Map<string, { readonly text: string; readonly written: WrittenPlugin }>();

function toManifest(written: WrittenPlugin, folder: string, boundary: Boundary): PluginManifest {
  return {
    ...nothingDeclared,
    ...written,
    entry: written.entry ?? (hasCode(folder, written) ? 'index.ts' : ''),
    folder,
    boundary,
    path: join(folder, 'plugin.yaml'),
    builtin: isShipped(folder) && written.id.startsWith('builtin-'),
  };
}

const isShipped = (folder: string): boolean => isWithin(realOf(join(packageRoot, 'plugins')), folder);

/** A plugin may consist of manifests, skills and modules of commands. When there is nothing at all, its code is missing. */
const hasCode = (folder: string, { commands = {} }: WrittenPlugin): boolean =>
  ['index.ts', 'index.js'].some((name) => existsSync(join(folder, name))) ||
  !(
    ['tools', 'skills'].some((name) => existsSync(join(folder, name))) ||
    (isShipped(folder) && Object.values(commands).some(({ handler }) => handler !== undefined))
  );

/** Warns when the folder is not named after the plugin's id, by which settings and other plugins refer to it. */
function checkName({ id, folder, path }: PluginManifest, document: Document): readonly Diagnostic[] {
  if (basename(folder) === id) return [];
  return [
    {
      severity: 'warning',
      code: 'plugin-folder-name',
      message: `the plugin's id is "${id}", but its folder is called "${basename(folder)}"`,
      path,
      ...document.locate('/id', 'value'),
      hint: `rename the folder to ${id}`,
    },
  ];
}

const reservedOfCommands = ['handler', 'home', 'takesProgram', 'untilStopped', 'group', 'before'] as const;

/** Warns of keys that only plugins have that ship with Pegboard. */
function checkReserved(
  { builtin, path, section, commands }: PluginManifest,
  document: Document,
): readonly Diagnostic[] {
  if (builtin) return [];
  const found = Object.entries(commands).flatMap(([name, command]) =>
    reservedOfCommands.filter((key) => command[key] !== undefined).map((key) => ['commands', name, key]),
  );
  return [...(section === undefined ? [] : [['section']]), ...found].map((steps) => ({
    severity: 'warning',
    code: 'reserved-key',
    message: `${steps.join('.')} has no effect: only plugins that ship with Pegboard have it`,
    path,
    ...document.locate(pointerTo(...steps), 'key'),
  }));
}

function duplicate(loser: PluginManifest, winner: PluginManifest): Diagnostic {
  return {
    severity: 'error',
    code: 'duplicate-plugin',
    message: `there are two plugins "${loser.id}": ${winner.path} is used, this one is not`,
    path: loser.path,
    hint: 'give one of them another id',
  };
}
