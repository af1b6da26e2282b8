import { existsSync } from 'node:fs';
import { join, sep } from 'node:path';
import { describeDiagnostic } from '../../core/documents/describe-diagnostic.ts';
import { messageOf, PegboardError } from '../../core/errors.ts';
import { hashCode } from '../loading/folder-hash.ts';
import { readManifest } from '../loading/discover.ts';
import type { PluginManifest } from '../loading/manifest.ts';

/** Names of plugins that come with Pegboard begin with this, and their code needs no approval. */
const ownPrefix = 'builtin-';

/** The plugin in an unpacked folder. `from`: for messages. Throws PEG_DENIED with what keeps it from being one. */
export async function readPackage(folder: string, from: string): Promise<PluginManifest> {
  if (!existsSync(join(folder, 'plugin.yaml')))
    throw new PegboardError('PEG_DENIED', `${from} is no plugin of Pegboard: it has no plugin.yaml.`);
  /** The folder is a temporary one, which says nothing to the reader. */
  const named = (message: string): string =>
    message.replaceAll(`${folder}${sep}`, '').replaceAll(folder, from);
  const { manifest, diagnostics } = await readManifest(folder, [folder]);
  if (!manifest)
    throw new PegboardError(
      'PEG_DENIED',
      `The plugin.yaml of ${from} is broken: ${named(diagnostics.map((one) => describeDiagnostic({ ...one, path: 'plugin.yaml' })).join('; '))}.`,
    );
  if (manifest.id.startsWith(ownPrefix))
    throw new PegboardError(
      'PEG_DENIED',
      `${from} calls itself ${manifest.id}. Ids that begin with "${ownPrefix}" are those of Pegboard's own plugins.`,
    );
  try {
    hashCode(manifest);
  } catch (cause) {
    throw new PegboardError('PEG_DENIED', `${from} can't be added: ${named(messageOf(cause))}`, { cause });
  }
  return manifest;
}

/**
 * Throws PEG_DENIED when the package.json contradicts plugin.yaml, or asks for another version of Pegboard than this one.
 */
export async function checkVersions(
  { version }: PluginManifest,
  packageJson: Readonly<Record<string, unknown>>,
  from: string,
  pegboardVersion: string,
): Promise<void> {
  const { version: packed, peerDependencies } = packageJson;
  if (packed !== undefined && packed !== version)
    throw new PegboardError(
      'PEG_DENIED',
      `${from} has two versions: ${JSON.stringify(packed)} in package.json, and ${version} in plugin.yaml. Its author has to make them the same.`,
    );
  const range = (peerDependencies as { readonly pegboard?: unknown } | undefined)?.pegboard;
  if (range === undefined) return;
  const { default: semver } = await import('semver');
  const valid = typeof range === 'string' ? semver.validRange(range) : null;
  if (valid === null)
    throw new PegboardError(
      'PEG_DENIED',
      `${from} asks for "pegboard": ${JSON.stringify(range)} in peerDependencies, which is no range of versions.`,
    );
  if (!semver.satisfies(pegboardVersion, valid, { includePrerelease: true }))
    throw new PegboardError(
      'PEG_DENIED',
      `${from} is made for Pegboard ${valid}, and this is ${pegboardVersion}. Add another version of it, as in npm:NAME@VERSION, or upgrade Pegboard.`,
    );
}

/**
 * Throws PEG_DENIED when another plugin of the home has its id, one of its packs or one of its commands, or Pegboard has one
 * of these.
 */
export function checkNames(
  { id, packs, commands }: PluginManifest,
  {
    plugins,
    ownCommands,
  }: { readonly plugins: readonly PluginManifest[]; readonly ownCommands: readonly string[] },
  from: string,
): void {
  const refuse = (what: string, holder: string): never => {
    throw new PegboardError('PEG_DENIED', `${from} ${what}, which ${holder}. Only one of them can be used.`);
  };
  for (const other of plugins) {
    if (other.id === id) refuse(`is the plugin ${id}`, `is there already: ${other.folder}`);
    const has = `the plugin ${other.id} brings already`;
    for (const pack of Object.keys(packs))
      if (Object.hasOwn(other.packs, pack)) refuse(`brings a pack "${pack}"`, has);
    for (const command of Object.keys(commands))
      if (Object.hasOwn(other.commands, command)) refuse(`adds a command "${command}"`, has);
  }
  for (const command of Object.keys(commands))
    if (ownCommands.includes(command)) refuse(`adds a command "${command}"`, 'Pegboard has itself');
}
