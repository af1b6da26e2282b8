import { PegboardError } from '../../core/errors.ts';
import type { TrustStore } from '../../store/owner/trust.ts';
import { hashCode } from './folder-hash.ts';
import type { PluginManifest, PluginSettings } from './manifest.ts';
import { shippedCode } from './space-code.ts';

export interface TrustRules {
  readonly trust: TrustStore;
  readonly development: boolean;
  /** Only built-in plugins run. */
  readonly reading?: boolean;
}

/** Throws PEG_DENIED, with what to do, when the plugin's code as it is on disk must not run. */
export function checkTrust(
  manifest: PluginManifest,
  settings: PluginSettings | undefined,
  { trust, development, reading = false }: TrustRules,
): void {
  const { id, folder, builtin } = manifest;
  if (builtin) return;
  if (reading) throw new PegboardError('PEG_DENIED', 'its home is unknown, so its code does not run.');
  if (settings?.trusted === true || development) return;
  const hash = hashCode(manifest);
  if (shippedCode[id] === hash || trust.isTrusted(id, hash)) return;
  const known = trust.list().some((entry) => entry.id === id);
  throw new PegboardError(
    'PEG_DENIED',
    `its code ${known ? 'has changed since you trusted it' : 'is not trusted yet'}. Read ${folder}, then run \`pegboard approvals allow ${id}\`.`,
    { data: { known } },
  );
}
