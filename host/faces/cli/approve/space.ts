import { diffOf } from '../../../core/diff.ts';
import type { Host } from '../../../host.ts';
import { hashCode } from '../../../plugins/folder-hash.ts';
import type { SpaceReview } from '../../../spaces/pinned/space-pins.ts';
import type { Context } from '../command.ts';
import { oneLine, spelledOut } from '../terminal/safe.ts';
import type { Surface } from '../terminal/terminal.ts';
import { confirm } from './confirm.ts';
import { ordersInFolder } from './orders-in-folder.ts';
import { whatItRuns } from './what-it-runs.ts';

/** Shows what a space does, or what has changed in it, and asks; with it, its code is trusted as it is. */
export async function acceptSpace(host: Host, name: string, context: Context): Promise<void> {
  const { err, out } = context.terminal;
  const review = host.spaces.review(name);
  if (!review) return out.line(`Nothing of the space ${name} waits for approval.`);
  const { folder } = host.spaces.all.find(({ id }) => id === name)!;
  const code = host.plugins.states
    .filter(({ manifest }) => manifest.dynamic?.space === name)
    .map(({ manifest }) => ({ id: manifest.id, hash: hashCode(manifest) }));
  for (const line of review.held.known ? changesOf(review, err) : contentsOf(review, err)) err.line(line);
  err.line(err.style.quiet(`All of it is in ${folder}`));
  for (const order of ordersInFolder(folder)) err.line(err.style.warning(`Careful: ${oneLine(order)}`));
  const rights = code.length > 0 ? ', and run its code with all your rights' : '';
  await confirm({ message: `Use the space ${name} as it is now${rights}?` }, context);
  await host.spaces.accept(review);
  for (const { id, hash } of code) await host.trust.trust(id, hash);
  out.line(`The space ${name} is used as it is now. What changes in it waits for you.`);
}

/** Every file, and what it makes something run. */
function* contentsOf({ files, after }: SpaceReview, { style }: Pick<Surface, 'style'>): Iterable<string> {
  for (const name of Object.keys(files)) {
    yield style.name(spelledOut(name));
    for (const run of whatItRuns(name, after[name] ?? '')) {
      for (const line of spelledOut(run.trimEnd()).split('\n')) yield `${style.quiet('┃')} ${line}`;
    }
  }
}

function* changesOf(
  { held, before, after }: SpaceReview,
  { style }: Pick<Surface, 'style'>,
): Iterable<string> {
  for (const { name, kind } of held.changes) {
    yield `${style.name(spelledOut(name))} ${style.quiet(kind)}`;
    const [old = '', now = ''] = [before[name], after[name]];
    const isShown = (kind === 'new' || name in before) && (kind === 'gone' || name in after);
    const lines = isShown ? diffOf(old, now, { mostLines: Infinity }).split('\n') : ['too long, or no text'];
    for (const line of lines) yield `${style.quiet('┃')} ${spelledOut(line)}`;
  }
}
