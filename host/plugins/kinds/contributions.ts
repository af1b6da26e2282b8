import type { Diagnostic } from '../../api/diagnostic.ts';
import type { Contributions } from '../../api/plugin.ts';
import type { ToolSource } from '../../api/source.ts';
import type { Clock } from '../../api/surroundings.ts';
import { PegboardError } from '../../core/errors.ts';
import type { PluginManifest } from '../loading/manifest.ts';
import type { PluginGuard } from '../plugin-guard.ts';
import { createEntrance } from './entrance.ts';
import { reportUnknown, type Plugged } from './kind.ts';
import { rows, type Contributed } from './kinds.ts';
import { inContributions } from './unknown-members.ts';

export interface CheckedContributions extends Contributed {
  /** All tools among them. */
  readonly toolSources: readonly ToolSource[];
  readonly diagnostics: readonly Diagnostic[];
}

const known = Object.fromEntries(rows.map(([name]) => [name, true as const]));

/**
 * Checks what `setup` returned, kind by kind. An unknown member is reported and ignored: members are optional, so a
 * misspelled one would otherwise have no effect without anybody noticing. Throws PEG_CONFIG where the plugin must not run.
 */
export function checkContributions(
  manifest: PluginManifest,
  given: Contributions,
  { guard, clock }: { readonly guard: PluginGuard; readonly clock: Clock },
): CheckedContributions {
  const { id, path: manifestPath } = manifest;
  if (typeof given !== 'object')
    throw new PegboardError(
      'PEG_CONFIG',
      `setup of ${id} returned ${typeof given}: return { packs, hooks } or nothing.`,
    );
  const diagnostics: Diagnostic[] = [];
  const report: Plugged['report'] = (code, message, hint, path = manifestPath) =>
    void diagnostics.push({ severity: 'error', code, message, path, ...(hint !== undefined && { hint }) });
  const plugged: Plugged = { plugin: manifest, report, entrance: createEntrance(guard), clock };
  reportUnknown(inContributions(given, known), plugged);
  const toolSources: ToolSource[] = [];
  const kept = rows.map(([name, kind]) => {
    const value = (given[name] ?? undefined) as never;
    if (value === undefined) return [name, kind.none];
    if (formOf(value) !== kind.form)
      throw new PegboardError('PEG_CONFIG', `${name} of the plugin ${id} is broken: write ${kind.form}.`);
    reportUnknown(kind.unknown?.(value) ?? [], plugged);
    const checked = kind.check(value, plugged);
    toolSources.push(...(kind.sources?.(checked, plugged) ?? []));
    return [name, checked];
  });
  return { ...(Object.fromEntries(kept) as Contributed), toolSources, diagnostics };
}

const formOf = (value: unknown): string =>
  Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'an object' : `a ${typeof value}`;
