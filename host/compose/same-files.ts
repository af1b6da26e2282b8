import type { Engine } from '../api/engine.ts';
import { PegboardError } from '../core/errors.ts';
import { pegboard } from '../core/own-command.ts';
import type { ChannelIdentities, FileHashes, FilesOfHost, HostFiles } from '../store/host-files.ts';
import { hashConfiguration } from './configuration-files.ts';

/** Paths that a message names. */
const mostNamed = 10;

/** The place of this host among those whose files are the same. Disposing gives it up. */
export interface Place extends AsyncDisposable {
  /** Its files may have changed: hosts that start are compared with what they say now. */
  filesChanged(): Promise<void>;
}

export interface PlaceOptions {
  readonly home: string;
  readonly hostFiles: HostFiles;
  /** Undefined: this host does not have to send or receive. */
  readonly channels: ChannelIdentities | undefined;
  /** Why shared secrets can't be read here. */
  readonly unreadableSecrets: string | undefined;
}

/**
 * Throws PEG_DENIED when the secrets can't be read, or when the files of the home or its channels differ from those of a
 * host that runs: what a message or a schedule does must not depend on the host that takes it.
 */
export async function takePlace(
  engine: Engine,
  { home, hostFiles, channels, unreadableSecrets }: PlaceOptions,
): Promise<Place> {
  if (unreadableSecrets !== undefined)
    throw new PegboardError('PEG_DENIED', `This host can take no work: ${unreadableSecrets}`);
  const hosts = await engine.hosts();
  const host = hosts.find(({ isThisOne }) => isThisOne)!.id;
  const others = async (): Promise<readonly string[]> =>
    (await engine.hosts()).filter((one) => one.isLive && one.id !== host).map(({ id }) => id);
  const own = { host, files: await hashConfiguration(home), ...(channels && { channels }) };
  let refusal: string | undefined;
  const isAdmitted = await hostFiles.join(own, others, (all) => {
    for (const other of all) refusal ??= differentFiles(home, own, other) ?? differentChannels(own, other);
    return refusal === undefined;
  });
  if (!isAdmitted) throw new PegboardError('PEG_DENIED', refusal!);
  return {
    filesChanged: async () => await hostFiles.change({ ...own, files: await hashConfiguration(home) }),
    [Symbol.asyncDispose]: () => hostFiles.leave(host),
  };
}

const differences = (own: FileHashes, other: FileHashes): readonly string[] =>
  [...new Set([...Object.keys(own), ...Object.keys(other)])]
    .filter((path) => own[path] !== other[path])
    .sort();

function differentFiles(
  home: string,
  { files: own }: FilesOfHost,
  { host, files }: FilesOfHost,
): string | undefined {
  const all = differences(own, files);
  if (all.length === 0) return undefined;
  const named = all.slice(0, mostNamed).map((path) => {
    if (own[path] === undefined) return `${path} (missing here)`;
    return files[path] === undefined ? `${path} (only here)` : path;
  });
  const more = all.length > named.length ? [`${all.length - named.length} more`] : [];
  return `The files of ${home} are not those of the host ${host}, which runs on the same database. They differ in ${[...named, ...more].join(', ')}. Give both the same files: with \`git pull\` here or there, which a running host applies at once, or stop the other hosts first. What is this machine's own belongs in pegboard.local.yaml.`;
}

/** A reminder for a chat could be taken by a host that can't send it, and a message by one that refuses its sender. */
function differentChannels(own: FilesOfHost, other: FilesOfHost): string | undefined {
  if (!own.channels || !other.channels) return undefined;
  const [here, there] = [own.channels, other.channels];
  const missing = (from: ChannelIdentities, of: ChannelIdentities): string[] =>
    Object.keys(of).filter((name) => from[name] === undefined);
  const differ = Object.keys(here).filter((name) => there[name] !== undefined && here[name] !== there[name]);
  const problems: readonly (readonly [names: readonly string[], how: string])[] = [
    [missing(here, there), 'can be used there and not here'],
    [missing(there, here), 'can be used here and not there'],
    [differ, 'has another account, or another list of people who may write'],
  ];
  const [names, how] = problems.find(([found]) => found.length > 0) ?? [];
  if (!names) return undefined;
  return `The channels of this host are not those of the host ${other.host}, which runs on the same database: ${names.join(', ')} ${how}. Give both the same variables, such as the token of the bot, or store them with \`${pegboard} secret set\`, which all hosts share.`;
}
