import { readdirSync } from 'node:fs';
import { hashCode } from '../plugins/folder-hash.ts';
import type { PluginManifest } from '../plugins/manifest.ts';
import type { HeldBack, HeldLook, HoldingHost } from './held-back.ts';
import { ordersInFolder } from './orders-in-folder.ts';

/** Plugins, and code of the owner's own spaces, that are not trusted as they are. */
export function heldPlugins(host: HoldingHost): readonly HeldBack[] {
  const { plugins, spaces } = host;
  return plugins.states.flatMap(({ state, manifest }) => {
    const { id, dynamic } = manifest;
    // What waits with its space is accepted with it.
    if (state !== 'untrusted' || spaces.all.some(({ id, held }) => id === dynamic?.space && held)) return [];
    return [{ id, what: [`plugin ${id}`], look: () => lookAtPlugin(manifest, host) }];
  });
}

/** Full trust, for exactly the files that are there now. */
export function lookAtPlugin(manifest: PluginManifest, { trust }: Pick<HoldingHost, 'trust'>): HeldLook {
  const { id, folder } = manifest;
  const hash = hashCode(manifest);
  return {
    question: `Run the code of ${id} with all your rights?`,
    detail: `${folder}\n${readdirSync(folder).join('  ')}\nsha256 ${hash}`,
    isComplete: false,
    warnings: ordersInFolder(folder),
    async accept() {
      await trust.trust(id, hash);
      return `${id} is trusted until one of its files changes.`;
    },
  };
}
