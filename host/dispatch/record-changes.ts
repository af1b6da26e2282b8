import type { Logger } from '../api/log.ts';
import type { ChangingCall, FileChanges } from '../api/services/file-changes.ts';
import type { ChangedFiles } from '../api/tool.ts';

interface Recording {
  readonly changes: FileChanges;
  readonly log: Pick<Logger, 'warn'>;
}

/** Notes that a call has an effect that is not recorded. Never rejects. */
export async function noteEffect(call: ChangingCall, { changes, log }: Recording): Promise<void> {
  await changes
    .note(call)
    .catch((cause: unknown) => log.warn('a call could not be noted for undo', { tool: call.tool.id, cause }));
}

/** Runs `change`, and settles like it: a change is made whether or not it can be recorded. */
export async function recordChanges<T>(
  call: ChangingCall,
  files: ChangedFiles,
  change: () => Promise<T>,
  recording: Recording,
): Promise<T> {
  const { changes, log } = recording;
  const tool = call.tool.id;
  const end = await changes.begin(call, files).catch(async (cause: unknown) => {
    log.warn('what a call changes in files could not be recorded for undo', { tool, cause });
    await noteEffect(call, recording);
  });
  try {
    return await change();
  } finally {
    await end?.().catch((cause: unknown) =>
      log.warn('what a call changed in files could not be recorded', { tool, cause }),
    );
  }
}
