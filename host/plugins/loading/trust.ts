import { pegboard } from '../../core/own-command.ts';
import type { Diagnostic } from '../../api/diagnostic.ts';
import { describeDiagnostic } from '../../core/documents/describe-diagnostic.ts';
import { PegboardError, messageOf } from '../../core/errors.ts';
import type { TrustStore } from '../../store/owner/trust.ts';
import { differenceFromLock, differenceInPackages } from '../elsewhere/check-lock.ts';
import { approvedCopy } from './approved-code.ts';
import { hashCode } from './folder-hash.ts';
import type { PluginManifest } from './manifest.ts';
import type { PluginSettings } from '../../formats/config.ts';
import { shippedCode } from './space-code.ts';
import { asSentence } from '../../core/text/as-sentence.ts';

export interface TrustRules {
  readonly trust: TrustStore;
  readonly development: boolean;
  /** Only built-in plugins run. */
  readonly reading?: boolean;
}

/** What may run of a plugin. */
export interface TrustedVersion {
  /** As it was found; or with the folders of the approved copy. */
  readonly manifest: PluginManifest;
  /** Only as it is: what it imports must have been approved with it. */
  readonly isPinned: boolean;
  /** Set with the copy: why the files as they are now don't run. */
  readonly waiting?: PegboardError;
}

/**
 * Throws PEG_DENIED, with what to do, when neither the plugin's code as it is on disk nor an approved copy may run, and
 * PEG_CONFIG when it came from elsewhere and is not what was added.
 */
export function trustedVersion(
  manifest: PluginManifest,
  settings: PluginSettings | undefined,
  { trust, development, reading = false }: TrustRules,
): TrustedVersion {
  const { id, folder, builtin } = manifest;
  if (builtin) return { manifest, isPinned: false };
  if (reading)
    throw new PegboardError(
      'PEG_DENIED',
      `its home is unknown, so its code does not run. \`${pegboard} trust\` shows what would run, and asks.`,
    );
  if (settings?.trusted === true || development) return { manifest, isPinned: false };
  const hash = manifest.broken ? undefined : hashCode(manifest);
  if (hash !== undefined && (shippedCode[id] === hash || trust.isTrusted(id, hash))) {
    requirePackages(manifest, trust);
    return { manifest, isPinned: true };
  }
  const approved = trust.list().find((entry) => entry.id === id);
  const untrusted = new PegboardError(
    'PEG_DENIED',
    `its code ${approved ? 'has changed since you trusted it' : 'is not trusted yet'}. Read ${folder}, then run \`${pegboard} approvals allow ${id}\`.`,
  );
  const difference = manifest.dynamic ? undefined : differenceFromLock(manifest, trust);
  if (!approved) throw difference ?? untrusted;
  const waiting = manifest.broken ? brokenManifest(manifest.broken) : (difference ?? untrusted);
  try {
    const copy = approvedCopy(trust, manifest, approved);
    requirePackages(manifest, trust, copy.folder);
    return { manifest: copy, isPinned: true, waiting };
  } catch (cause) {
    throw new PegboardError(
      difference ? 'PEG_CONFIG' : 'PEG_DENIED',
      `${waiting.message} Until then, none of its code runs: ${asSentence(messageOf(cause))}`,
      { cause },
    );
  }
}

/** Packages are not part of what is approved, but those of a plugin from elsewhere are part of its lock file. */
function requirePackages(manifest: PluginManifest, trust: TrustStore, lockedIn?: string): void {
  const difference = manifest.dynamic ? undefined : differenceInPackages(manifest, trust, lockedIn);
  if (difference) throw difference;
}

const brokenManifest = (broken: Diagnostic): PegboardError =>
  new PegboardError('PEG_CONFIG', `its plugin.yaml is broken: ${describeDiagnostic(broken)}.`);

/** Is the plugin on disk what may run, not an approved copy, and not nothing? */
export function runsAsFound(
  manifest: PluginManifest,
  settings: PluginSettings | undefined,
  rules: TrustRules,
): boolean {
  try {
    return trustedVersion(manifest, settings, rules).waiting === undefined;
  } catch {
    return false;
  }
}
