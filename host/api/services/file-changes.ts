import type { ChangedFiles, ToolCall } from '../tool.ts';
import { defineToken } from './token.ts';

/** A call whose changes of files are recorded. */
export type ChangingCall = Pick<ToolCall, 'id' | 'tool' | 'scope' | 'caller' | 'turn' | 'parent'>;

/** Records what calls change in files, so that it can be taken back. */
export interface FileChanges {
  /** Notes that a call of a turn has an effect that is not recorded. */
  note(call: ChangingCall): Promise<void>;
  /** Stores what the files are before a call changes them. Call what it returns when the call has ended, however it ended. */
  begin(call: ChangingCall, files: ChangedFiles): Promise<() => Promise<void>>;
  /** What the user has taken back since a conversation's last turn, as sentences for its model. Returned once. */
  takeNews(conversation: number): Promise<readonly string[]>;
  /** Forgets turns that began before this time, in milliseconds since 1970. Returns how many. */
  forget(before: number): Promise<number>;
}

/** Without a plugin that provides it, nothing is recorded. */
export const FileChanges = defineToken<FileChanges>('file-changes', 'a record of changed files');
