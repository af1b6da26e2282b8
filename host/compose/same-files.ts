import type { Engine } from '../api/engine.ts';
import { PegboardError } from '../core/errors.ts';
import type { FileHashes, FilesOfHost, HostFiles } from '../store/host-files.ts';
import { hashConfiguration } from './configuration-files.ts';

/** Paths that a message names. */
const mostNamed = 10;

/** The place of this host among those whose files are the same. Disposing gives it up. */
export interface Place extends AsyncDisposable {
  /** Its files may have changed: hosts that start are compared with what they say now. */
  filesChanged(): Promise<void>;
}

/**
 * Throws PEG_DENIED when the files of the home differ from those of a host that runs: what a message or a schedule does
 * must not depend on the host that takes it.
 */
export async function takePlace(engine: Engine, home: string, hostFiles: HostFiles): Promise<Place> {
  const hosts = await engine.hosts();
  const host = hosts.find(({ isThisOne }) => isThisOne)!.id;
  const others = async (): Promise<readonly string[]> =>
    (await engine.hosts()).filter((one) => one.isLive && one.id !== host).map(({ id }) => id);
  const files = await hashConfiguration(home);
  let refusal: string | undefined;
  const isAdmitted = await hostFiles.join({ host, files }, others, (all) => {
    const other = all.find((one) => differences(files, one.files).length > 0);
    if (other) refusal = describe(home, files, other);
    return other === undefined;
  });
  if (!isAdmitted) throw new PegboardError('PEG_DENIED', refusal!);
  return {
    filesChanged: async () => await hostFiles.change({ host, files: await hashConfiguration(home) }),
    [Symbol.asyncDispose]: () => hostFiles.leave(host),
  };
}

const differences = (own: FileHashes, other: FileHashes): readonly string[] =>
  [...new Set([...Object.keys(own), ...Object.keys(other)])]
    .filter((path) => own[path] !== other[path])
    .sort();

function describe(home: string, own: FileHashes, { host, files }: FilesOfHost): string {
  const all = differences(own, files);
  const named = all.slice(0, mostNamed).map((path) => {
    if (own[path] === undefined) return `${path} (missing here)`;
    return files[path] === undefined ? `${path} (only here)` : path;
  });
  const more = all.length > named.length ? [`${all.length - named.length} more`] : [];
  return `The files of ${home} are not those of the host ${host}, which runs on the same database. They differ in ${[...named, ...more].join(', ')}. Give both the same files: with \`git pull\` here or there, which a running host applies at once, or stop the other hosts first. What is this machine's own belongs in pegboard.local.yaml.`;
}
