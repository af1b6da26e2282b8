import type { ChangedFiles, ToolCall } from 'pegboard';

/** Makes a change of files that can be undone, where the host records them. */
export function recordChanges<T>(
  call: Pick<ToolCall, 'recordChanges'>,
  files: ChangedFiles,
  change: () => Promise<T>,
): Promise<T> {
  return call.recordChanges ? call.recordChanges(files, change) : change();
}
