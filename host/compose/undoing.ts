import { dirname } from 'node:path';
import type { User } from '../core/platform/places.ts';
import type { FileOrigins } from '../api/store/file-origins.ts';
import type { ListedRoot } from '../api/known-folders.ts';
import type { Logger } from '../api/log.ts';
import { realPathOf } from '../core/files/paths.ts';
import { isProjectHome } from '../core/files/project.ts';
import { foldersWithoutCaller } from '../core/files/known-folders.ts';
import { trustedProjects } from '../store/owner/known-projects.ts';
import type { Database } from '../store/database/database.ts';
import type { FileChanges } from '../store/undo/file-changes.ts';
import type { UndoLimits } from '../store/undo/limits.ts';
import type { RestorablePlaces } from '../store/undo/restorable.ts';
import type { Undo } from '../store/undo/undo.ts';

/** What calls change in files, and taking it back. The code is loaded when it is first needed. */
export interface Undoing {
  readonly changes: FileChanges;
  open(): Promise<Undo>;
  /** The message that a turn answered, by its key. Undefined when it isn't stored. */
  messageOf(key: string): Promise<string | undefined>;
}

/** Of the foundation. */
interface UndoingParts {
  /** Absolute path. */
  readonly home: string;
  readonly config: { readonly current: { readonly config: { readonly undo: UndoLimits } } };
  readonly fileOrigins: FileOrigins;
  readonly database: Database;
  readonly log: Logger;
  readonly surroundings: User;
}

/** `roots`: folders outside the home that are listed for file tools. Trusted projects are added to them. */
export function createUndoing(
  { home, config, fileOrigins: origins, database, log, surroundings: user }: UndoingParts,
  roots: () => readonly ListedRoot[],
): Undoing {
  const limits = (): UndoLimits => config.current.config.undo;
  const ofHome = isProjectHome(home, user) ? [dirname(realPathOf(home))] : [];
  const projects = (): readonly ListedRoot[] =>
    [...ofHome, ...trustedProjects(user)].map((path) => ({ path, write: 'ask' }));
  const places = (): RestorablePlaces => ({
    ...foldersWithoutCaller(home, user),
    roots: [...roots(), ...projects()],
  });
  const load = async () => {
    const [{ createUndoStore }, { createFileChanges }, { createUndo }] = await Promise.all([
      import('../store/undo/undo-store.ts'),
      import('../store/undo/file-changes.ts'),
      import('../store/undo/undo.ts'),
    ]);
    const store = createUndoStore(home, { limits, origins });
    return {
      changes: createFileChanges(store, { places, log }),
      undo: createUndo(store, { home, places }),
    };
  };
  let loading: ReturnType<typeof load> | undefined;
  const loaded = (): ReturnType<typeof load> => (loading ??= load());
  return {
    changes: {
      note: async (call) => (await loaded()).changes.note(call),
      record: async (call, files, change) => (await loaded()).changes.record(call, files, change),
    },
    open: async () => (await loaded()).undo,
    async messageOf(key) {
      const open = await database.existing();
      const row = await open
        ?.selectFrom('messages')
        .select('text')
        .where('turn_key', '=', key)
        .where('role', '=', 'user')
        .executeTakeFirst();
      return row?.text;
    },
  };
}
