import type { ManifestDetails } from '../../../manifests/wire.ts';
import { toolPath } from '../../router.ts';

/** What has come of a manifest that was saved. */
export interface AfterSaving {
  readonly text: string;
  readonly tone: 'good' | 'warn';
  /** Where it can be tried. */
  readonly link?: string;
}

export function afterSaving({ kind, service: { name, diagnostics } }: ManifestDetails): AfterSaving {
  const wrong = diagnostics.find(({ severity }) => severity === 'error');
  const link = kind === 'tool' && name !== undefined ? { link: toolPath(name) } : {};
  if (!wrong) {
    const text = name === undefined ? 'Saved.' : `Saved. ${name} is in service as it stands here.`;
    return { text, tone: 'good', ...link };
  }
  const place = wrong.line === undefined ? '' : ` (line ${wrong.line})`;
  const why = `${wrong.message}${place}.`;
  const text =
    name === undefined
      ? `Saved, but it is not in service: ${why}`
      : `Saved, but the last good version of ${name} runs on: ${why}`;
  return { text, tone: 'warn', ...link };
}
