import { readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Diagnostic } from '../../api/diagnostic.ts';
import { messageOf, PegboardError } from '../../core/errors.ts';
import type { AcceptedTexts, SpacePinStore } from '../../store/space-pins.ts';
import { actedOn, hashOf, nameIn, standsAlone, type FileHashes } from './acted-on.ts';

/** A file that is not what was accepted. */
export interface SpaceChange {
  /** Within the space, with "/" between the parts. */
  readonly name: string;
  readonly kind: 'new' | 'changed' | 'gone';
}

/** What of a space waits for its owner. */
export interface HeldSpace {
  /** It was accepted as it was at some time. */
  readonly known: boolean;
  /** All of it waits: what changed says what agents may do, or is code. */
  readonly whole: boolean;
  readonly changes: readonly SpaceChange[];
  /** Why it can't be looked at, when it can't. */
  readonly problem?: string;
}

/** What is about to be accepted, as it was read. */
export interface SpaceReview {
  readonly space: string;
  readonly held: HeldSpace;
  readonly files: FileHashes;
  /** Accepted, and as they are now; binary and long files are left out. */
  readonly before: AcceptedTexts;
  readonly after: AcceptedTexts;
}

/** Spaces that somebody else writes stay as their owner accepted them. */
export interface SpacePins {
  /** By its folder. Undefined: everything in it may be used, or it is the owner's own. */
  heldIn(folder: string): HeldSpace | undefined;
  /** Throws PEG_TOOL_UNAVAILABLE when a file of a space, or all of it, is not what was accepted. */
  check(folder: string, path: string): void;
  review(folder: string): SpaceReview | undefined;
  /** Throws PEG_DENIED when the space has changed since it was reviewed. */
  accept(folder: string, review: SpaceReview): Promise<void>;
  /** One file that stands alone, in a space that was accepted: as it should be by now. */
  acceptFile(folder: string, path: string, content: Uint8Array): Promise<void>;
}

/** `trusted` in pegboard.yaml, by the space's name: true takes every change, false asks about each. */
export type SpaceTrust = (space: string) => boolean | undefined;

export function createSpacePins(store: SpacePinStore, trusted: SpaceTrust): SpacePins {
  const isPinned = (folder: string): boolean => {
    const space = basename(folder);
    // What was accepted once stays pinned, whatever becomes of its history.
    return !(trusted(space) ?? !(isClone(folder) || store.isKnown(space)));
  };
  const judge = (folder: string, files: FileHashes): HeldSpace | undefined => {
    const pinned = store.get(basename(folder));
    const changes = differences(pinned?.files ?? {}, files).filter(
      // A tool that is no longer there does nothing, and what agents put into their workspace is their own.
      ({ name, kind }) => !(kind === 'gone' ? standsAlone(name) : kind === 'new' && isWork(name)),
    );
    if (pinned && changes.length === 0) return undefined;
    const whole = !pinned || changes.some(({ name }) => !standsAlone(name));
    return { known: pinned !== undefined, whole, changes };
  };
  const heldIn = (folder: string): HeldSpace | undefined => {
    if (!isPinned(folder)) return undefined;
    try {
      return judge(folder, actedOn(folder));
    } catch (cause) {
      // What can't be looked at is not what was accepted.
      return { known: true, whole: true, changes: [], problem: messageOf(cause) };
    }
  };
  return {
    heldIn,
    check(folder, path) {
      const held = heldIn(folder);
      if (held && isHeld(held, folder, path)) throw heldBack(folder, path, held);
    },
    review(folder) {
      if (!isPinned(folder)) return undefined;
      const { files, texts } = readAll(folder);
      const held = judge(folder, files);
      const space = basename(folder);
      return held && { space, held, files, before: store.textsOf(space), after: texts };
    },
    async accept(folder, { space, files, after }) {
      if (differences(files, actedOn(folder)).length > 0)
        throw new PegboardError('PEG_DENIED', `The space ${space} changed while you looked. Look again.`);
      await store.set(space, files, after);
    },
    async acceptFile(folder, path, content) {
      const [space, name] = [basename(folder), nameIn(realpathSync(folder), path)];
      const pinned = store.get(space);
      if (!pinned || !standsAlone(name)) return;
      const text = textOf(content);
      const texts = { ...store.textsOf(space), ...(text !== undefined && { [name]: text }) };
      await store.set(space, { ...pinned.files, [name]: hashOf(content) }, texts);
    },
  };
}

/** With a place that it comes from. What the owner began has none, or is said to be trusted. */
function isClone(folder: string): boolean {
  const found = statSync(join(folder, '.git'), { throwIfNoEntry: false });
  if (!found?.isDirectory()) return found !== undefined;
  try {
    return /^\s*\[remote /m.test(readFileSync(join(folder, '.git/config'), 'utf8'));
  } catch (cause) {
    // A folder that is only called so is no repository; one that can't be read may be.
    return (cause as NodeJS.ErrnoException).code !== 'ENOENT';
  }
}

export function isHeld({ whole, changes }: HeldSpace, folder: string, path: string): boolean {
  if (whole) return true;
  const name = nameIn(folder, path);
  // What lies beside a skill is a part of it.
  const skill = /^(agent\/skills\/.+)\/SKILL\.md$/.exec(name)?.[1];
  return changes.some((one) => one.name === name || (skill && one.name.startsWith(`${skill}/`)));
}

const acceptCommand = (space: string): string => `pegboard approvals accept spaces/${space}`;

function heldBack(folder: string, path: string, held: HeldSpace): PegboardError {
  const space = basename(folder);
  const name = nameIn(folder, path);
  const what = held.whole ? `the space ${space}` : `${name} of the space ${space}`;
  return new PegboardError(
    'PEG_TOOL_UNAVAILABLE',
    `It was not run: ${what} is not what was approved, and is held back. See what changed and approve it with \`${acceptCommand(space)}\`.`,
  );
}

/** What is said of a space that waits. */
export function heldDiagnostics(folder: string, held: HeldSpace | undefined): readonly Diagnostic[] {
  if (!held) return [];
  const space = basename(folder);
  const common = { severity: 'warning', hint: acceptCommand(space) } as const;
  if (!held.known) {
    const message = `the space ${space} comes from somebody else, and is held back until you have looked at it`;
    return [{ ...common, code: 'new-space', message, path: folder }];
  }
  if (held.problem !== undefined) {
    const message = `the space ${space} is held back, because it can't be compared with what was approved: ${held.problem}`;
    return [{ ...common, code: 'changed-space', message, path: folder }];
  }
  return held.changes.map(({ name, kind }) => ({
    ...common,
    code: held.whole ? 'changed-space' : 'changed-file',
    message: `${describe(name, kind)}; ${held.whole ? `all of the space ${space}` : 'it'} is held back`,
    path: join(folder, name),
  }));
}

const isWork = (name: string): boolean => name.startsWith('workspace/');

const describe = (name: string, kind: SpaceChange['kind']): string =>
  kind === 'changed' ? `${name} is not what was approved` : `${name} is ${kind}`;

function differences(before: FileHashes, after: FileHashes): readonly SpaceChange[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return names.flatMap((name): readonly SpaceChange[] => {
    if (before[name] === after[name]) return [];
    const kind = before[name] === undefined ? 'new' : after[name] === undefined ? 'gone' : 'changed';
    return [{ name, kind }];
  });
}

/** Their hashes are enough: what stands in them is copied nowhere. */
const holdsSecrets = /(?:^|\/)\.env$/;
/** Bytes of a file that is kept to be compared. */
const longestText = 256 * 1024;

/** What is shown is what is hashed. */
function readAll(folder: string): { readonly files: FileHashes; readonly texts: AcceptedTexts } {
  const files = actedOn(folder);
  const texts: { [name: string]: string } = {};
  for (const [name, hash] of Object.entries(files)) {
    const bytes = readFileSync(join(folder, name));
    if (hashOf(bytes) !== hash)
      throw new PegboardError('PEG_DENIED', `${join(folder, name)} changes while it is read. Look again.`);
    const text = textOf(bytes);
    if (text !== undefined && !holdsSecrets.test(name)) texts[name] = text;
  }
  return { files, texts };
}

const textOf = (content: Uint8Array): string | undefined =>
  content.length <= longestText && !content.includes(0) ? Buffer.from(content).toString('utf8') : undefined;
