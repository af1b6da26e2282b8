import type { Surroundings } from '../../api/surroundings.ts';
import type { PackageFiles } from './package-files.ts';

/** The files of a plugin as they came, and what its source says of them. */
export interface Fetched {
  readonly files: PackageFiles;
  /** Exactly this: "npm:dice@1.0.0", "git:https://…#COMMIT", a path. */
  readonly resolved: string;
  /** Of the archive, as npm writes it: "sha512-…". Absent where there was none. */
  readonly integrity?: string;
  /** Who published it, as the registry or the commit says; nobody has checked the name in a commit. */
  readonly publisher?: string;
  /** It was found by the name of a tag of a git repository, which is meant to stay with one commit. */
  readonly isTagged?: boolean;
  /** The registry has a statement of provenance for it: which commit it was built from. */
  readonly hasProvenance?: boolean;
}

export interface FetchPlace extends Pick<Surroundings, 'env'> {
  /** An empty folder, for downloads. */
  readonly downloads: string;
  readonly signal: AbortSignal;
}
