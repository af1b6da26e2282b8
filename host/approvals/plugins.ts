import { readdirSync } from 'node:fs';
import { approveCode } from '../plugins/loading/approved-code.ts';
import { hashCode } from '../plugins/loading/folder-hash.ts';
import type { PluginManifest } from '../plugins/loading/manifest.ts';
import { shownLine } from '../core/foreign/shown-text.ts';
import type { PendingApproval, ApprovalReview, ApprovingHost } from './pending-approval.ts';
import { findInjectionInFolder } from './injection-in-folder.ts';

/** Plugins, and code of the owner's own spaces, whose present files are not trusted. */
export function pendingPlugins(host: ApprovingHost): readonly PendingApproval[] {
  const { plugins, spaces } = host;
  return plugins.states.flatMap(({ pending, manifest }) => {
    const { id, dynamic } = manifest;
    // Code that waits together with its space is approved with it.
    if (!pending || spaces.all.some(({ id, pending }) => id === dynamic?.space && pending)) return [];
    return [{ id, what: [`plugin ${id}`], review: () => reviewPlugin(manifest, host) }];
  });
}

/** Full trust, for exactly the present files. */
export function reviewPlugin(
  manifest: PluginManifest,
  { trust }: Pick<ApprovingHost, 'trust'>,
): ApprovalReview {
  const { id, folder } = manifest;
  const hash = hashCode(manifest);
  return {
    question: `Run the code of ${id} with all your rights?`,
    detail: `${shownLine(folder)}\n${readdirSync(folder).map(shownLine).join('  ')}\nsha256 ${hash}`,
    isComplete: false,
    warnings: findInjectionInFolder(folder),
    async approve() {
      await approveCode(trust, manifest, hash);
      return `${id} is trusted until one of its files changes.`;
    },
  };
}
