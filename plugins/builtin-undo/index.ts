import { definePlugin, FileChanges, provide } from 'pegboard';
import { WritableFolders } from 'pegboard/kit';
import { createFileChanges } from './file-changes.ts';
import type { UndoLimits } from './limits.ts';
import { createUndoStore, forgetOldTurns } from './undo-store.ts';
import { createUndo, Undo } from './undo.ts';

/** Records what turns change in files, and takes it back. */
export default definePlugin<UndoLimits>({
  setup(context) {
    const { home, config, fileOrigins: origins, history } = context;
    const folders = context.use(WritableFolders);
    const places = () => folders((writable) => writable.ofAll());
    const store = createUndoStore(home, { limits: config, origins });
    const { note, begin } = createFileChanges(store, places);
    const messageOf = async (turn: string): Promise<string | undefined> => (await history.ofTurn(turn))?.text;
    const undo = createUndo(store, { home, places, messageOf });
    return {
      provides: [
        provide(FileChanges, {
          note,
          begin,
          takeNews: async (conversation) => undo.takeNews(conversation),
          forget: (before) => forgetOldTurns(home, before),
        }),
        provide(Undo, undo),
      ],
    };
  },
});
