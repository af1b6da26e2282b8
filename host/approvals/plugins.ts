import { isUtf8 } from 'node:buffer';
import { describeDiagnostic } from '../core/documents/describe-diagnostic.ts';
import { PegboardError } from '../core/errors.ts';
import { diffOf } from '../core/text/diff.ts';
import { differenceFromLock } from '../plugins/elsewhere/check-lock.ts';
import { approveCode, changesInCode, type CodeChange } from '../plugins/loading/approved-code.ts';
import { codeFiles, codeRoot, hashCode, nameIn } from '../plugins/loading/folder-hash.ts';
import type { PluginManifest } from '../plugins/loading/manifest.ts';
import { exactLine, exactText } from '../core/foreign/shown-text.ts';
import type { PendingApproval, ApprovalReview, ApprovingHost } from './pending-approval.ts';
import { findInjectionInFolder } from './injection-in-folder.ts';

/** Plugins, and code of the owner's own spaces, whose present files are not trusted and can be approved. */
export function pendingPlugins(host: ApprovingHost): readonly PendingApproval[] {
  const { plugins, spaces } = host;
  return plugins.states.flatMap(({ pending, manifest }) => {
    const { id, dynamic, broken } = manifest;
    // Code that waits together with its space is approved with it.
    if (!pending || broken || spaces.all.some(({ id, pending }) => id === dynamic?.space && pending))
      return [];
    return [{ id, what: [`plugin ${id}`], review: () => reviewPlugin(manifest, host) }];
  });
}

/**
 * Full trust, for exactly the present files. Throws PEG_CONFIG while plugin.yaml is broken, and for a plugin from elsewhere
 * that is not what was added. `place`: shown instead of a temporary folder.
 */
export function reviewPlugin(
  manifest: PluginManifest,
  { trust }: Pick<ApprovingHost, 'trust'>,
  place = manifest.folder,
): ApprovalReview {
  const { id, folder, broken } = manifest;
  if (broken)
    throw new PegboardError(
      'PEG_CONFIG',
      `${id} can't be approved while its plugin.yaml is broken: ${describeDiagnostic(broken)}.`,
    );
  const difference = manifest.dynamic ? undefined : differenceFromLock(manifest, trust);
  if (difference) throw new PegboardError('PEG_CONFIG', `${id} can't be approved: ${difference.message}`);
  // Before the files are read: `approve` refuses what has changed since.
  const hash = hashCode(manifest);
  const changes = changesInCode(trust, manifest);
  return {
    question: `Run the code of ${id} with all your rights?`,
    detail: [
      exactLine(place),
      ...(changes ? changes.flatMap(describeChange) : filesOf(manifest)),
      `sha256 ${hash}`,
    ].join('\n'),
    isComplete: false,
    warnings: findInjectionInFolder(folder),
    async approve() {
      await approveCode(trust, manifest, hash);
      return `${id} is trusted until one of its files changes.`;
    },
  };
}

/** Maximum files that are listed of a plugin that is new. */
const maxListed = 100;

/** All that would be approved, by name. */
function filesOf(manifest: PluginManifest): readonly string[] {
  const names = codeFiles(manifest).map((path) => exactLine(nameIn(codeRoot(manifest), path)));
  const more = names.length - maxListed;
  return more > 0 ? [...names.slice(0, maxListed), `and ${more} more`] : names;
}

/** Nothing of a text is shortened: a part that isn't shown would be approved unseen. */
function describeChange({ name, before, after }: CodeChange): readonly string[] {
  const kind = !before ? 'new' : !after ? 'gone' : 'changed';
  const isText = [before, after].every((content) => !content || (isUtf8(content) && !content.includes(0)));
  return [
    exactLine(`${name} is ${kind}`),
    isText
      ? exactText(diffOf(before?.toString() ?? '', after?.toString() ?? '', { maxLines: Infinity }))
      : 'Its content is not text, so it is not shown. Look at it in its folder.',
  ];
}
