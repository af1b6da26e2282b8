import { realpathSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { messageOf, PegboardError } from '../../core/errors.ts';
import type { ApprovedTexts, PinnedSpace, SpacePinStore } from '../../store/owner/space-pins.ts';
import { openContentHashes } from '../../core/files/content-hashes.ts';
import { createListings } from './folder-listings.ts';
import { isPending, pendingFileError, type PendingSpace, type SpaceChange } from './pending-space.ts';
import {
  findTree,
  isGitSetting,
  isInWorkspace,
  nameIn,
  type FoundTree,
  type PinnedTree,
} from './pinned-tree.ts';
import { hashOf, textOf, textsIn } from './texts.ts';

/** A space as read for approval. */
export interface SpaceReview {
  readonly space: string;
  readonly pending: PendingSpace;
  readonly files: PinnedTree;
  readonly parts: readonly string[];
  /** The previously approved content, if any. */
  readonly filesBefore: PinnedTree;
  /** Texts as approved and as they are now, without binary and long files. */
  readonly before: ApprovedTexts;
  readonly after: ApprovedTexts;
}

/** Pins spaces that others write to the state that the owner approved. */
export interface SpacePins {
  /** What is pending in the space with this folder. Undefined: everything is approved, or the space is the owner's own. */
  pendingIn(folder: string): PendingSpace | undefined;
  /** Whether others than the owner write the file of the space: a change of it would have to be approved. */
  isForeign(folder: string, path: string): boolean;
  /** Throws PEG_TOOL_UNAVAILABLE when a file of a space, or the whole space, is pending approval. */
  check(folder: string, path: string): void;
  review(folder: string): SpaceReview | undefined;
  /** Throws PEG_DENIED when the space has changed since it was reviewed. */
  approve(folder: string, review: SpaceReview): Promise<void>;
  /** The approved spaces, with the time in ISO 8601. */
  approved(): readonly { readonly name: string; readonly at: string }[];
  revoke(space: string): Promise<void>;
  /** Updates the pin of a single file in an approved space. */
  updateFile(folder: string, path: string, content: Uint8Array): Promise<void>;
}

/** `trusted` in pegboard.yaml, by the space's name: true approves every change, false requires approval for each. */
export type SpaceTrust = (space: string) => boolean | undefined;

export function createSpacePins(store: SpacePinStore, trusted: SpaceTrust): SpacePins {
  const hashes = openContentHashes(store.contents);
  const looking = { hashes, listings: createListings() };
  /** Undefined: only the owner writes the space. */
  const lookAt = (folder: string): FoundTree | undefined => {
    const space = basename(folder);
    if (trusted(space) === true) return undefined;
    // A space that was approved once stays pinned, even if its git history is removed.
    const parts = trusted(space) === false ? [''] : (store.get(space)?.parts ?? []);
    const found = findTree(folder, looking, parts);
    hashes.save();
    return found.parts.length > 0 ? found : undefined;
  };
  const judge = (folder: string, { tree, hasIndex }: FoundTree): PendingSpace | undefined => {
    const space = basename(folder);
    const pinned = store.get(space);
    const doesNothing = (name: string): boolean =>
      // What was checked out is known only where there is a git index.
      standsAlone(name) || isGitSetting(name) || (isInWorkspace(name) && !hasIndex);
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
      // What can't be read counts as changed.
      return { known: true, whole: true, changes: [], problem: messageOf(cause) };
    }
  };
  return {
    pendingIn,
    isForeign(folder, path) {
      try {
        return lookAt(folder)?.parts.some((part) => part === '' || isIn(part, nameIn(folder, path))) ?? false;
      } catch {
        return true;
      }
    },
    check(folder, path) {
      const pending = pendingIn(folder);
      if (pending && isPending(pending, folder, path)) throw pendingFileError(folder, path, pending);
    },
    review(folder) {
      const found = lookAt(folder);
      const pending = found && judge(folder, found);
      if (!pending) return undefined;
      const space = basename(folder);
      const filesBefore = store.get(space)?.files ?? {};
      const [before, after] = [store.textsOf(space), textsIn(folder, found.tree)];
      return { space, pending, files: found.tree, parts: found.parts, filesBefore, before, after };
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
    async updateFile(folder, path, content) {
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
 * Can this file be left out while the rest of the space is used? True for a tool's manifest, a skill and a text of the
 * agent's identity. Files that define what agents may do, or that may be executed, affect the whole space.
 */
const standsAlone = (name: string): boolean =>
  /^agent\/(?:tools\/.*\.(?:md|ya?ml)|skills\/.+|(?:SOUL|IDENTITY|USER)\.md|(?:(?:tools|skills)\/(?:.*\/)?)?)$/.test(
    name,
  );

/** Does a file that may be executed mention this one, or its folder? Then it may execute the change. */
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

function differences(before: PinnedTree, after: PinnedTree): readonly SpaceChange[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return names.flatMap((name): readonly SpaceChange[] => {
    if (before[name] === after[name]) return [];
    const kind = before[name] === undefined ? 'new' : after[name] === undefined ? 'gone' : 'changed';
    return [{ name, kind }];
  });
}
