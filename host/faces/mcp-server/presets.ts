import type { Access, Scope } from '../../api/source.ts';
import { PegboardError } from '../../core/errors.ts';
import { nearest } from '../../core/documents/nearest.ts';
import type { ServedHost } from './served-host.ts';

/** What the client of a preset may see: the preset's own access, or all of the module of that name. Throws PEG_USAGE. */
export function scopeOf(host: ServedHost, preset: string | undefined): Scope {
  return { identity: 'agent', access: preset === undefined ? {} : accessOf(host, preset) };
}

function accessOf(host: ServedHost, preset: string): Access {
  const presets = host.presets ?? {};
  if (Object.hasOwn(presets, preset)) return presets[preset]!;
  const modules = new Set(host.registry.snapshot.sources.map(({ module }) => module));
  if (modules.has(preset)) return { allowed: [preset] };
  const near = nearest(preset, [...Object.keys(presets), ...modules], 3);
  const hint = near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : '';
  throw new PegboardError('PEG_USAGE', `There is no preset, space or module "${preset}".${hint}`);
}

/** May the holder of this access see what belongs to a whole module, such as a server's resources? */
export function admitsModule({ allowed, blocked }: Access, module: string): boolean {
  const whole = (pattern: string): boolean =>
    pattern === '*' || pattern === module || pattern === `${module}.*`;
  if (blocked?.some(whole)) return false;
  return (
    allowed === undefined || allowed.some((pattern) => whole(pattern) || pattern.startsWith(`${module}.`))
  );
}
