import { toArguments, type ShellArguments } from './arguments.ts';

type Judge = (args: ShellArguments) => string | undefined;

const discards = 'discards changes that are in no commit';
const rewrites = 'rewrites or deletes history';

/** By git subcommand. */
const commands: { readonly [command: string]: Judge } = {
  push: (args) => {
    if (args.has('-f', '--force', '--force-with-lease', '--mirror'))
      return 'git push --force overwrites the remote';
    if (args.has('-d', '--delete', '--prune')) return 'git push deletes branches of the remote';
    if (args.operands.some(({ text }) => /^\+|^:./.test(text)))
      return 'git push overwrites or deletes on the remote';
    return args.computed ? 'git push with computed arguments may overwrite the remote' : undefined;
  },
  reset: (args) =>
    args.has('--hard', '--merge', '--keep') || args.computed ? `git reset ${discards}` : undefined,
  clean: (args) =>
    args.has('-n', '--dry-run') ? undefined : 'git clean deletes files that are in no commit',
  checkout: (args) =>
    args.has('-f', '--force', '-B') || args.words.some(({ text }) => text === '--' || text === '.')
      ? `git checkout ${discards}`
      : undefined,
  switch: (args) =>
    args.has('-f', '--force', '--discard-changes', '-C') ? `git switch ${discards}` : undefined,
  restore: (args) =>
    args.has('-S', '--staged') && !args.has('-W', '--worktree') ? undefined : `git restore ${discards}`,
  branch: (args) => (args.has('-D', '-M', '-C', '-f', '--force') ? `git branch ${rewrites}` : undefined),
  stash: ({ operands }) =>
    ['drop', 'clear'].includes(operands[0]?.text ?? '') ? `git stash ${discards}` : undefined,
  reflog: ({ operands }) =>
    ['expire', 'delete'].includes(operands[0]?.text ?? '') ? `git reflog ${rewrites}` : undefined,
  worktree: (args) => (args.has('-f', '--force') ? `git worktree ${discards}` : undefined),
  'update-ref': () => `git update-ref ${rewrites}`,
  'filter-branch': () => `git filter-branch ${rewrites}`,
  'filter-repo': () => `git filter-repo ${rewrites}`,
  gc: (args) => (args.has('--prune') ? `git gc ${rewrites}` : undefined),
  config: ({ words }) =>
    words.some(({ text }) => steersGit(text)) ? 'git config decides what git will run' : undefined,
};

/** Global options of git that take a value. */
const withValue = new Set([
  '-C',
  '-c',
  '--git-dir',
  '--work-tree',
  '--namespace',
  '--exec-path',
  '--config-env',
]);
const steersGit = (text: string): boolean =>
  /^(alias\.|core\.(hookspath|sshcommand|editor|pager|fsmonitor)|credential\.|filter\.|diff\.external|protocol\.)/i.test(
    text,
  );

export const gitDanger: Judge = ({ words }) => {
  for (let index = 0; index < words.length; index++) {
    const { text, open } = words[index]!;
    if (open) return 'which git command will run is computed';
    if (!text.startsWith('-')) return commands[text]?.(toArguments(words.slice(index + 1)));
    const value = words[index + 1];
    if (text === '-c' && value && (value.open || steersGit(value.text)))
      return 'git -c decides what git will run';
    if (withValue.has(text)) index++;
  }
  return undefined;
};
