import { readProject } from '../../agent/project-text.ts';
import type { Workplace } from '../../api/known-folders.ts';
import { pegboard } from '../../core/own-command.ts';
import { trustProject } from '../../store/owner/known-projects.ts';
import { workplaceAt } from '../../workplace.ts';
import { createAsk } from '../terminal/ask.ts';
import { oneLine } from '../terminal/safe.ts';
import type { Terminal } from '../terminal/terminal.ts';

/**
 * Before an agent works in a project that the user doesn't trust yet: asks whether what is written in it counts as their
 * own, and stores a Yes. After a No, or where nobody can be asked, it is untrusted content. Returns whether it is trusted.
 */
export async function admitProject(
  home: string,
  { terminal, signal }: { readonly terminal: Terminal; readonly signal: AbortSignal },
  workplace = workplaceAt(home, terminal.surroundings),
): Promise<boolean> {
  const ask = createAsk(terminal);
  if (!workplace?.project || !ask) return false;
  if (workplace.project.isTrusted) return true;
  const { root } = workplace.project;
  showProject(workplace, terminal);
  const message = `Trust what is written in this project as if you had written it? ${root}`;
  const { action } = await ask({ message }, signal);
  if (action === 'accept') {
    await trustProject(root, terminal.surroundings);
    return true;
  }
  terminal.err.line(
    `What its files say counts as written by others, so that changes are asked about once they were read. \`${pegboard} trust --project\` changes that.`,
  );
  return false;
}

/** With the files that agents read as instructions. */
export function showProject(workplace: Workplace, { err }: Terminal): void {
  const files = readProject(workplace)?.files ?? [];
  err.line(`${err.style.title(oneLine(workplace.project!.root))} is the project that you are in.`);
  for (const file of files)
    err.line(`${err.style.quiet('┃')} instructions that agents follow: ${oneLine(file)}`);
}
