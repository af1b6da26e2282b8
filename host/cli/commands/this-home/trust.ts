import { existsSync } from 'node:fs';
import { pegboard } from '../../../core/own-command.ts';
import { PegboardError } from '../../../core/errors.ts';
import { isFolder } from '../../../core/files/paths.ts';
import { homeTrust, trustVariable } from '../../../home-trust.ts';
import { reviewHome } from '../../../approvals/trust-home.ts';
import { forgetHome, isKnownHome, listKnownHomes } from '../../../store/owner/known-homes.ts';
import { distrustProject, trustProject } from '../../../store/owner/known-projects.ts';
import { workplaceAt } from '../../../workplace.ts';
import { absolutePath } from '../../absolute-path.ts';
import { admitProject, showProject } from '../../approvals/admit-project.ts';
import { askAboutHome, showHome } from '../../approvals/admit-home.ts';
import type { Context, CommandHandler } from '../../command.ts';
import { createAsk } from '../../terminal/ask.ts';
import { oneLine } from '../../terminal/safe.ts';
import { renderTable } from '../../terminal/table.ts';

export const run: CommandHandler = async (context) => {
  const { words, options, surroundings } = context;
  if (options.flag('list')) return list(context);
  if (options.flag('project')) return await judgeProject(context);
  const home = words[0] === undefined ? context.home : absolutePath(words[0], surroundings);
  return options.flag('revoke') ? revoke(home, context) : trust(home, context);
};

async function trust(home: string, { terminal, surroundings, options, signal }: Context): Promise<void> {
  if (!isFolder(home)) throw new PegboardError('PEG_USAGE', `There is no folder ${home}.`);
  if (homeTrust(home, surroundings) === 'known')
    return terminal.out.line(`${oneLine(home)} is already trusted.`);
  if (options.flag('yes')) {
    const trustAsShown = reviewHome(home, surroundings);
    await showHome(home, terminal);
    await trustAsShown();
  } else if (!createAsk(terminal)) {
    await showHome(home, terminal);
    throw new PegboardError(
      'PEG_NOBODY_TO_ASK',
      'The home was not trusted: there is nobody to ask. Read what is shown above, then pass --yes.',
    );
  } else await askAboutHome(home, { terminal, signal });
  terminal.out.line(`${oneLine(home)} is now trusted. \`${pegboard} trust --revoke\` ends that.`);
}

/** The same for what is written in a project. */
async function judgeProject({
  words,
  options,
  home,
  terminal,
  surroundings,
  signal,
}: Context): Promise<void> {
  const place = (): string => absolutePath(words[0] ?? '.', surroundings);
  const workplace = workplaceAt(home, { ...surroundings, cwd: place });
  const { root, isTrusted } = workplace?.project ?? {};
  if (!workplace || root === undefined)
    throw new PegboardError(
      'PEG_USAGE',
      `${place()} is not in a project: neither it nor a folder above it, outside of the home, has a .git, .pegboard, AGENTS.md or CLAUDE.md.`,
    );
  const { out } = terminal;
  if (options.flag('revoke')) {
    if (!(await distrustProject(root, surroundings)))
      throw new PegboardError('PEG_USAGE', `${root} is not trusted.`);
    return out.line(`What is written in ${oneLine(root)} counts as written by others again.`);
  }
  if (isTrusted) return out.line(`${oneLine(root)} is already trusted.`);
  if (options.flag('yes')) {
    showProject(workplace, terminal);
    await trustProject(root, surroundings);
  } else if (!createAsk(terminal)) {
    throw new PegboardError(
      'PEG_NOBODY_TO_ASK',
      `The project ${root} was not trusted: there is nobody to ask. Look at its files, then pass --yes.`,
    );
  } else if (!(await admitProject(home, { terminal, signal }, workplace))) return;
  out.line(`${oneLine(root)} is now trusted. \`${pegboard} trust --project --revoke\` ends that.`);
}

async function revoke(home: string, { terminal, surroundings }: Context): Promise<void> {
  if (!(await forgetHome(home, surroundings))) {
    const known = listKnownHomes(surroundings).map(({ path }) => path);
    const there = known.length === 0 ? 'No home is trusted.' : `Trusted homes: ${known.join(', ')}.`;
    throw new PegboardError('PEG_USAGE', `${home} is not trusted. ${there}`);
  }
  const other =
    homeTrust(home, surroundings) === 'known'
      ? ` It is still trusted, because ${trustVariable} names it or this Pegboard runs from it.`
      : '';
  terminal.out.line(
    `${oneLine(home)} is no longer trusted. Its approvals apply again when you trust it again. A running host continues until it is stopped.${other}`,
  );
}

function list({ terminal, surroundings, options }: Context): void {
  const homes = listKnownHomes(surroundings).map((home) => ({ ...home, exists: existsSync(home.path) }));
  if (options.flag('json')) return terminal.json({ homes });
  const { out, err } = terminal;
  if (homes.length === 0) return err.line('No home is trusted.');
  const columns = [{ title: 'HOME', paint: out.style.name }, { title: 'SINCE' }, { title: '' }];
  const rows = homes.map(({ path, since, exists }) => [
    oneLine(path),
    since.slice(0, 16).replace('T', ' '),
    exists && isKnownHome(path, surroundings) ? '' : 'gone',
  ]);
  for (const line of renderTable(out, columns, rows)) out.line(line);
}
