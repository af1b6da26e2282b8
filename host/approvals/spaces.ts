import { diffOf } from '../core/text/diff.ts';
import { exactLine, exactText } from '../core/foreign/shown-text.ts';
import { approveCode } from '../plugins/loading/approved-code.ts';
import { hashCode } from '../plugins/loading/folder-hash.ts';
import type { SpaceChange } from '../spaces/pinned/pending-space.ts';
import type { SpaceReview } from '../spaces/pinned/space-pins.ts';
import type { ApprovedTexts } from '../store/owner/space-pins.ts';
import type { PendingApproval, ApprovalReview, ApprovingHost } from './pending-approval.ts';
import { findInjectionInFolder } from './injection-in-folder.ts';
import { actionsIn } from './actions-in.ts';
import { allowedIn } from './allowed-in.ts';

/** Spaces of somebody else, and changes in them. */
export function pendingSpaces(host: ApprovingHost): readonly PendingApproval[] {
  return host.spaces.all.flatMap(({ id, folder, pending }) => {
    if (!pending) return [];
    const count = pending.changes.length === 1 ? '1 file' : `${pending.changes.length} files`;
    const state = !pending.known ? 'new' : pending.whole ? 'changed' : `${count} changed`;
    return [
      { id: `spaces/${id}`, what: [`space ${id} (${state})`], review: () => reviewSpace(id, folder, host) },
    ];
  });
}

/** Its code is trusted with it. */
function reviewSpace(id: string, folder: string, { spaces, plugins, trust }: ApprovingHost): ApprovalReview {
  const review = spaces.review(id);
  // If nothing is pending any more, nothing was shown either.
  const code = plugins.states
    .filter(({ manifest }) => review && manifest.dynamic?.space === id)
    .map(({ manifest }) => ({ manifest, hash: hashCode(manifest) }));
  const rights = code.length > 0 ? ', and run its code with all your rights' : '';
  const shown = !review ? [] : review.pending.known ? changesOf(review) : contentsOf(review);
  return {
    question: `Use the space ${id} as it is now${rights}?`,
    detail: [...shown, `All of it is in ${exactLine(folder)}`].join('\n'),
    isComplete: review !== undefined && isShownWhole(review),
    warnings: findInjectionInFolder(folder),
    async approve() {
      if (review) await spaces.approve(review);
      for (const { manifest, hash } of code) await approveCode(trust, manifest, hash);
      return `The space ${id} is used as it is now. What changes in it waits for your approval.`;
    },
  };
}

/** Every file with what it runs. For packages, only the number of files. */
function* contentsOf({ files, after }: SpaceReview): Iterable<string> {
  const packages = new Map<string, number>();
  for (const [name, what] of Object.entries(files)) {
    const [folder] = /^(?:.*?\/)?node_modules\//.exec(name) ?? [];
    if (folder !== undefined) {
      packages.set(folder, (packages.get(folder) ?? 0) + 1);
      continue;
    }
    yield exactLine(`${name}${kindOf(what)}`);
    for (const run of actionsIn(name, after[name] ?? ''))
      yield exactText(run.trimEnd()).replaceAll(/^/gm, '    ');
    for (const { key, allowed } of isAgentFile(name) ? allowedIn(after[name] ?? '', name) : [])
      yield exactLine(`    without a question (${key}): ${allowed.join(', ')}`);
  }
  for (const [folder, count] of packages) yield exactLine(`${folder} (${count} files)`);
}

const isAgentFile = (name: string): boolean => /^(?:agent\/)?agents?\/[^/]+\.ya?ml$/.test(name);

/** " (link to ../x)", " (executable)"; nothing for an ordinary file. */
function kindOf(what: string): string {
  const [, target] = /^link (.*?)(?: [0-9a-f]{64}(?: x)?)?$/.exec(what) ?? [];
  if (target !== undefined) return ` (link to ${target})`;
  return what.endsWith(' x') || what.startsWith('git 100755') ? ' (executable)' : '';
}

function* changesOf({ pending, before, after, filesBefore, files }: SpaceReview): Iterable<string> {
  for (const change of pending.changes) {
    const { name, kind } = change;
    const [old, now] = [kindOf(filesBefore[name] ?? ''), kindOf(files[name] ?? '')];
    const became =
      kind === 'changed' && old !== now ? `: it was${old || ' ordinary'}, and is${now || ' ordinary'}` : now;
    yield exactLine(`${name} is ${kind}${became}`);
    const texts = textsOf(change, before, after);
    if (texts && texts[0] === texts[1]) continue;
    yield texts
      ? exactText(diffOf(...texts, { maxLines: Infinity }))
      : 'Its content is not shown. Read it in its folder.';
  }
}

/** A new space is to be read in its folder. */
const isShownWhole = ({ pending, before, after }: SpaceReview): boolean =>
  pending.known && pending.changes.every((change) => textsOf(change, before, after));

/** Before and after; undefined when one of them is not kept. */
function textsOf(
  { name, kind }: SpaceChange,
  before: ApprovedTexts,
  after: ApprovedTexts,
): readonly [string, string] | undefined {
  const [old, now] = [kind === 'new' ? '' : before[name], kind === 'gone' ? '' : after[name]];
  return old === undefined || now === undefined ? undefined : [old, now];
}
