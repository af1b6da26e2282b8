import type { Content } from 'pegboard';
import { fileParts, textParts, type OutgoingPart, type Renderer } from '../outgoing/parts.ts';
import type { SideEffects } from './live-turns.ts';

export interface ComposedAnswer {
  readonly text: string;
  /** Its id in the history; undefined if no answer was stored. */
  readonly stored: number | undefined;
  /** Images and files returned by tools. */
  readonly files: readonly Content[];
  readonly effects: SideEffects;
  /** The message in which it was streamed, and the message to which that replies. */
  readonly draft?: { readonly message: string; readonly replyTo: string | undefined } | undefined;
  /** Set when several messages wait, to show which one is answered. */
  readonly replyTo: string | undefined;
}

/** Composes what a turn sends to the chat, in order. */
export function composeAnswer(
  { text, stored, files, effects, draft, replyTo }: ComposedAnswer,
  renderer: Renderer,
): readonly OutgoingPart[] {
  const parts: OutgoingPart[] = [];
  if (effects.react) parts.push({ kind: 'react', ...effects.react });
  const isSilent = effects.suppressText === true;
  const target = effects.replyTo ?? replyTo;
  // A message can't be made a reply afterwards.
  const { replyTo: asked = draft?.replyTo } = effects;
  const keepsDraft = draft !== undefined && !isSilent && draft.replyTo === asked;
  if (draft && !keepsDraft) parts.push({ kind: 'delete', message: draft.message });
  if (!isSilent)
    parts.push(
      ...textParts(text, renderer.driver, {
        replyTo: target,
        edits: keepsDraft ? draft.message : undefined,
        answer: stored,
      }),
    );
  parts.push(...fileParts(files, renderer));
  return parts;
}
