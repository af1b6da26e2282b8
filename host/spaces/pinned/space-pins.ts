import { realpathSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { messageOf, PegboardError } from '../../core/errors.ts';
import type { ApprovedTexts, PinnedSpace, SpacePinStore } from '../../store/owner/space-pins.ts';
import { openContentHashes } from './content-hashes.ts';
import { createListings } from './folder-listings.ts';
import { isPendingFile } from './pending-diagnostics.ts';
import { findTree, isGitSetting, isWork, nameIn, type FoundTree, type PinnedTree } from './pinned-tree.ts';
import { hashOf, textOf, textsIn } from './texts.ts';

/** Something that is not what was accepted. */
export interface SpaceChange {
  /** Within the space, with "/" between the parts. */
  readonly name: string;
  readonly kind: 'new' | 'changed' | 'gone';
}

/** What of a space waits for its owner. */
export interface PendingSpace {
  /** It was accepted as it was at some time. */
  readonly known: boolean;
  /** All of it waits: what changed says what agents may do, or may be run. */
  readonly whole: boolean;
  readonly changes: readonly SpaceChange[];
  /** Why it can't be looked at, when it can't. */
  readonly problem?: string;
}

/** What is about to be accepted, as it was read. */
export interface SpaceReview {
  readonly space: string;
  readonly held: PendingSpace;
  readonly files: PinnedTree;
  readonly parts: readonly string[];
  /** What there was, as far as it was accepted. */
  readonly filesBefore: PinnedTree;
  /** Accepted, and as they are now; binary and long files are left out. */
  readonly before: ApprovedTexts;
  readonly after: ApprovedTexts;
}

/** Spaces that somebody else writes stay as their owner accepted them. */
export interface SpacePins {
  /** By its folder. Undefined: everything in it may be used, or it is the owner's own. */
  pendingIn(folder: string): PendingSpace | undefined;
  /** Throws PEG_TOOL_UNAVAILABLE when a file of a space, or all of it, is not what was accepted. */
  check(folder: string, path: string): void;
  review(folder: string): SpaceReview | undefined;
  /** Throws PEG_DENIED when the space has changed since it was reviewed. */
  approve(folder: string, review: SpaceReview): Promise<void>;
  /** The spaces that were accepted, and when: ISO 8601. */
  approved(): readonly { readonly name: string; readonly at: string }[];
  revoke(space: string): Promise<void>;
  /** One file that stands alone, in a space that was accepted: as it should be by now. */
  acceptFile(folder: string, path: string, content: Uint8Array): Promise<void>;
}

/** `trusted` in pegboard.yaml, by the space's name: true takes every change, false asks about each. */
export type SpaceTrust = (space: string) => boolean | undefined;

export function createSpacePins(store: SpacePinStore, trusted: SpaceTrust): SpacePins {
  const hashes = openContentHashes(store.contents);
  const looking = { hashes, listings: createListings() };
  /** Undefined: nobody else writes any of it. */
  const lookAt = (folder: string): FoundTree | undefined => {
    const space = basename(folder);
    if (trusted(space) === true) return undefined;
    // What was accepted once stays pinned, whatever becomes of its history.
    const parts = trusted(space) === false ? [''] : (store.get(space)?.parts ?? []);
    const found = findTree(folder, looking, parts);
    hashes.save();
    return found.parts.length > 0 ? found : undefined;
  };
  const judge = (folder: string, { tree, hasIndex }: FoundTree): PendingSpace | undefined => {
    const space = basename(folder);
    const pinned = store.get(space);
    const doesNothing = (name: string): boolean =>
      // What git had checked out is only known where there is git.
      standsAlone(name) || isGitSetting(name) || (isWork(name) && !hasIndex);
    const changes = differences(pinned?.files ?? {}, tree).filter(
      ({ name, kind }) => kind !== 'gone' || !doesNothing(name),
    );
    if (pinned && changes.length === 0) return undefined;
    const approved = changes.length > 0 ? store.textsOf(space) : {};
    const whole = !pinned || changes.some(({ name }) => !standsAlone(name) || isUsed(name, approved));
    return { known: pinned !== undefined, whole, changes };
  };
  const pendingIn = (folder: string): PendingSpace | undefined => {
    try {
      const found = lookAt(folder);
      return found && judge(folder, found);
    } catch (cause) {
      // What can't be looked at is not what was accepted.
      return { known: true, whole: true, changes: [], problem: messageOf(cause) };
    }
  };
  return {
    pendingIn,
    check(folder, path) {
      const held = pendingIn(folder);
      if (held && isPending(held, folder, path)) throw isPendingFile(folder, path, held);
    },
    review(folder) {
      const found = lookAt(folder);
      const held = found && judge(folder, found);
      if (!held) return undefined;
      const space = basename(folder);
      const filesBefore = store.get(space)?.files ?? {};
      const [before, after] = [store.textsOf(space), textsIn(folder, found.tree)];
      return { space, held, files: found.tree, parts: found.parts, filesBefore, before, after };
    },
    async approve(folder, { space, files, parts, after }) {
      if (differences(files, lookAt(folder)?.tree ?? {}).length > 0)
        throw new PegboardError('PEG_DENIED', `The space ${space} changed while you looked. Look again.`);
      const names = Object.keys(files);
      const there = parts.filter((part) => part === '' || names.some((name) => isIn(part, name)));
      await store.set(space, { files, parts: there }, after);
    },
    approved: () => store.list(),
    revoke: (space) => store.delete(space),
    async acceptFile(folder, path, content) {
      const [space, name] = [basename(folder), nameIn(realpathSync(folder), path)];
      const pinned = store.get(space);
      if (!pinned || !standsAlone(name)) return;
      const text = textOf(content);
      const texts = { ...store.textsOf(space), ...(text !== undefined && { [name]: text }) };
      await store.set(space, withFile(pinned, name, path, content), texts);
    },
  };
}

/**
 * Can it be left out while the rest goes on? A tool's manifest, a skill and a text of the agent's identity can; whatever
 * says what agents may do, and what may be run, concerns all of a space.
 */
const standsAlone = (name: string): boolean =>
  /^agent\/(?:tools\/.*\.(?:md|ya?ml)|skills\/.+|(?:SOUL|IDENTITY|USER)\.md|(?:(?:tools|skills)\/(?:.*\/)?)?)$/.test(
    name,
  );

/** Does something that may be run name it, or the folders that such files lie in? Then it may run what changed in it. */
const isUsed = (name: string, approved: ApprovedTexts): boolean =>
  Object.entries(approved).some(
    ([file, text]) =>
      file !== name &&
      (file.startsWith('agent/tools/') || !file.endsWith('.md')) &&
      (text.includes(basename(name)) || /\b(?:agent|tools|skills)\//.test(text)),
  );

const isIn = (part: string, name: string): boolean => name === part || name.startsWith(`${part}/`);

function withFile(
  { files, parts }: PinnedSpace,
  name: string,
  path: string,
  content: Uint8Array,
): Omit<PinnedSpace, 'at'> {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
  return { parts, files: { ...files, [name]: `${hashOf(content)}${(mode & 0o111) === 0 ? '' : ' x'}` } };
}

export function isPending({ whole, changes }: PendingSpace, folder: string, path: string): boolean {
  if (whole) return true;
  const name = nameIn(folder, path);
  // What lies beside a skill is a part of it.
  const skill = /^(agent\/skills\/.+)\/SKILL\.md$/.exec(name)?.[1];
  return changes.some((one) => one.name === name || (skill && one.name.startsWith(`${skill}/`)));
}

function differences(before: PinnedTree, after: PinnedTree): readonly SpaceChange[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return names.flatMap((name): readonly SpaceChange[] => {
    if (before[name] === after[name]) return [];
    const kind = before[name] === undefined ? 'new' : after[name] === undefined ? 'gone' : 'changed';
    return [{ name, kind }];
  });
}
