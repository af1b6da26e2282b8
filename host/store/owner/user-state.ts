import { hash } from 'node:crypto';
import { join } from 'node:path';
import { realPathOf } from '../../core/files/paths.ts';
import { userStateFolder, type User } from '../../core/platform/places.ts';
import type { SharedFolder } from '../documents/documents.ts';
import { openJsonStore, type JsonStore } from '../files/json-store.ts';

/** An "always" answer. Applies to this tool as long as its fingerprint is unchanged. */
export interface ToolApproval {
  readonly tool: string;
  readonly fingerprint: string;
  /** ISO 8601 */
  readonly at: string;
}

/**
 * Code that the owner trusts: a plugin, or a space's TypeScript tools, as long as the hash of its files is unchanged.
 */
export interface TrustedCode {
  readonly id: string;
  readonly hash: string;
  /** ISO 8601 */
  readonly at: string;
}

/** What this user approved in one home. */
export interface Approved {
  readonly approvals: readonly ToolApproval[];
  readonly trusted: readonly TrustedCode[];
  /** When spaces that others write were approved; their content is in `spacePins`. */
  readonly spaces: { readonly [space: string]: { readonly at: string } };
}

export type ApprovedStore = JsonStore<Approved>;

/**
 * What this user stores about one home, outside of it, so that nothing in a home can declare the home trusted. Hosts that
 * share their state share the approvals too; `folder` is always this machine's.
 */
export interface UserState {
  /** Absolute path. Created with mode 0700 when something is first stored. */
  readonly folder: string;
  /** approved.json */
  readonly approved: ApprovedStore;
  /** Approved versions of spaces. */
  readonly spacePins: string;
  readonly serverPins: string;
}

const empty: Approved = { approvals: [], trusted: [], spaces: {} };

export function openUserState(home: string, root: string, shared?: SharedFolder): UserState {
  const folder = stateFolderIn(root, home);
  const approvals = shared?.folder ?? folder;
  return {
    folder,
    approved: openJsonStore(join(approvals, 'approved.json'), {
      ...(shared && { documents: shared.documents }),
      empty,
      what: 'the stored approvals',
      consequence: 'tools ask for confirmation again',
    }),
    spacePins: join(approvals, 'pins/spaces'),
    serverPins: join(approvals, 'pins/mcp'),
  };
}

/** Named by the home's real path, so that copies and moved homes differ, and links don't. */
export const stateFolderIn = (root: string, home: string): string =>
  join(root, 'homes', hash('sha256', realPathOf(home)).slice(0, 32));

/** The same in the user's own state folder. */
export const userStateOf = (home: string, user: User): string => stateFolderIn(userStateFolder(user), home);
