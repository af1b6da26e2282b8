import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Surroundings } from '../api/surroundings.ts';
import type { Answer } from '../api/ask.ts';
import type { OpenQuestion } from '../api/questions.ts';
import { toPicked } from '../core/files/picked-file.ts';
import { shownQuestion } from '../core/foreign/shown-question.ts';
import { shownLine } from '../core/foreign/shown-text.ts';
import { nativeDialog } from '../core/platform/native-dialogs.ts';

const run = promisify(execFile);
const by = 'the desktop';

/** Asks by a dialog of the system where nobody else can be asked. Undefined where there is no desktop, or no such dialog. */
export async function askDesktop(
  question: OpenQuestion,
  { env, userHome }: Surroundings,
  signal: AbortSignal,
): Promise<Answer | undefined> {
  if (!question.unattended) return undefined;
  const { kind, multiple = false } = question;
  const { head, said } = shownQuestion(question);
  const labels = choicesOf(question);
  const choices = labels.map(shownLine);
  const command = nativeDialog(
    { kind, title: head, text: said.join('\n'), choices, multiple },
    { environment: env },
  );
  if (!command) return undefined;
  const [program, ...args] = command;
  try {
    const { stdout } = await run(program, args, { env, cwd: userHome, signal, maxBuffer: 1 << 20 });
    const lines = stdout.split('\n').filter((line) => line !== '');
    if (kind === 'notification')
      return { action: 'accept', by, content: { shown: 'as a notification of the system' } };
    if (kind === 'files')
      return lines.length > 0
        ? { action: 'accept', by, content: { files: lines.map(toPicked) } }
        : { action: 'decline', by };
    const choice = labels[choices.indexOf(lines[0] ?? '')];
    return choice === undefined ? { action: 'decline', by } : { action: 'accept', by, content: { choice } };
  } catch (cause) {
    signal.throwIfAborted();
    // It ends with 1 when the person closes the dialog. With anything else it could not be shown.
    return (cause as { readonly code?: unknown }).code === 1 ? { action: 'decline', by } : undefined;
  }
}

function choicesOf({ schema }: OpenQuestion): readonly string[] {
  const { choice } = (schema?.['properties'] ?? {}) as { readonly choice?: { readonly enum?: unknown } };
  return Array.isArray(choice?.enum) ? choice.enum.map(String) : [];
}
