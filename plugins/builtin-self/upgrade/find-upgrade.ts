import { asSentence, PegboardError } from 'pegboard';
import { git, gitIfPossible, type Clone } from './git.ts';

/** What an upgrade of a clone would bring. */
export interface FoundUpgrade {
  readonly root: string;
  /** Commits. They are the same when there is nothing new. */
  readonly from: string;
  readonly to: string;
  /** "origin/main" */
  readonly upstream: string;
  /** "1a2b3c4 area: what changed", newest first. */
  readonly commits: readonly string[];
  /** New lines of the changelog. */
  readonly changes: readonly string[];
}

/**
 * Fetches the branch that the clone follows. Nothing else is changed. Throws PEG_USAGE where an upgrade isn't possible,
 * with what to do, and PEG_COMMAND_FAILED when git fails.
 */
export function findUpgrade(clone: Clone): FoundUpgrade {
  const { root } = clone;
  // Git refuses, for example, a clone of another user: then it says why.
  git(clone, 'rev-parse', '--git-dir');
  const branch = gitIfPossible(clone, 'symbolic-ref', '-q', '--short', 'HEAD');
  if (branch === undefined)
    throw refusal(root, 'no branch is checked out', 'check one out: `git checkout main`');
  const upstream = gitIfPossible(clone, 'rev-parse', '--abbrev-ref', '--symbolic-full-name', '@{upstream}');
  if (upstream === undefined)
    throw refusal(
      root,
      `its branch ${branch} follows no branch of a remote`,
      `name one: \`git branch --set-upstream-to=origin/main ${branch}\``,
    );
  refuseLocalChanges(clone);
  git(clone, 'fetch', '--quiet');
  const [from, to] = git(clone, 'rev-parse', 'HEAD', '@{upstream}').split('\n') as [string, string];
  const ahead = Number(git(clone, 'rev-list', '--count', `${to}..${from}`));
  const behind = Number(git(clone, 'rev-list', '--count', `${from}..${to}`));
  if (ahead > 0 && behind > 0)
    throw refusal(
      root,
      `it has ${ahead} ${ahead === 1 ? 'commit' : 'commits'} that ${upstream} doesn't have`,
      `merge them yourself: \`git pull\``,
    );
  if (behind === 0) return { root, from, to: from, upstream, commits: [], changes: [] };
  return {
    root,
    from,
    to,
    upstream,
    commits: git(clone, 'log', '--format=%h %s', `${from}..${to}`).split('\n'),
    changes: git(clone, 'diff', '--no-ext-diff', '--no-color', '-U0', from, to, '--', 'CHANGELOG.md')
      .split('\n')
      .filter((line) => /^\+\s*- /.test(line))
      .map((line) => line.slice(1)),
  };
}

function refuseLocalChanges(clone: Clone): void {
  const changed = git(clone, 'status', '--porcelain', '--untracked-files=no')
    .split('\n')
    .filter(Boolean)
    .map((line) => line.trimStart().replace(/^\S+\s+/, ''));
  if (changed.length === 0) return;
  const settings = changed.includes('pegboard.yaml')
    ? ` Settings of this machine belong in pegboard.local.yaml, which git ignores.`
    : '';
  throw refusal(
    clone.root,
    `these files of it were changed: ${changed.join(', ')}`,
    `commit the changes, put them aside with \`git stash\`, or undo them.${settings}`.replace(/\.$/, ''),
  );
}

const refusal = (root: string, why: string, what: string): PegboardError =>
  new PegboardError(
    'PEG_USAGE',
    `The clone ${root} can't be upgraded: ${asSentence(why)} First ${what}. Nothing was changed.`,
  );
