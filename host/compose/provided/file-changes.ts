import { FileChanges } from '../../api/services/file-changes.ts';
import type { PluginSet } from '../../plugins/plugin-set.ts';

const recordsNothing: FileChanges = {
  note: async () => {},
  begin: async () => async () => {},
  takeNews: async () => [],
  forget: async () => 0,
};

/** What a plugin provides, and without one nothing. */
export function fileChangesOf(plugins: Pick<PluginSet, 'use'>): FileChanges {
  const use = plugins.use(FileChanges, { fallback: recordsNothing });
  return {
    note: (call) => use((changes) => changes.note(call)),
    begin: (...change) => use((changes) => changes.begin(...change)),
    takeNews: (conversation) => use((changes) => changes.takeNews(conversation)),
    forget: (before) => use((changes) => changes.forget(before)),
  };
}
