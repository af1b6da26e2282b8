import { type Access, type Limits, PegboardError, type Scope } from 'pegboard';
import { nearest, visibleTools } from 'pegboard/channels';
import { fullPreset, type ToolPreset } from 'pegboard/serving';
import { upstreamsWith } from '../protocol/upstream-items.ts';
import type { ServedHost } from '../served-host.ts';

/** The selection for a client: the tools that are in both. Absent: everything. */
export interface Selection {
  /** The preset that the whole server is started with. It confines every path. */
  readonly preset: string | undefined;
  /** The preset, space or module that the client's path names. */
  readonly path: string | undefined;
}

/**
 * What the client of a selection may see with the current configuration: a removed preset allows nothing. Throws
 * PEG_USAGE for an unknown name, and for one that has nothing in common with the preset.
 */
export function scopeOf(host: ServedHost, { preset, path }: Selection): Scope {
  const names = [preset, path].filter((name) => name !== undefined);
  if (names.length === 0) return { identity: 'agent', access: {} };
  const modules = names.filter((name) => !isPreset(host, name));
  const scope: Scope = {
    identity: 'agent',
    access: {},
    get within() {
      return names.map((name) =>
        modules.includes(name) ? ofModule(name) : (presetOf(host, name) ?? nothing),
      );
    },
  };
  const unknown = modules.find((name) => !hasModule(host, name));
  // Confined clients don't learn what else exists.
  if (preset !== undefined && path !== undefined && (unknown !== undefined || isEmpty(host, scope)))
    throw new PegboardError('PEG_USAGE', `Nothing is served under the name "${path}" here.`);
  if (unknown !== undefined) throw notThere(host, unknown);
  return scope;
}

/**
 * Whoever selects tools by name sees all of them. `full` selects everything, and so shows all tools to one client where
 * the home's preset is lean.
 */
export function presetFor(host: ServedHost, { preset, path }: Selection): ToolPreset {
  return preset === undefined && path === undefined ? (host.toolPreset ?? fullPreset) : fullPreset;
}

const everything: Access = {};
const nothing: Access = { allowed: [] };

/**
 * By the pattern alone, a tool of another server could belong to it, whose own name may be anything. The same object for
 * the same module, just as a preset is the same object for the same configuration.
 */
const byModule = new Map<string, Limits>();
function ofModule(module: string): Limits {
  let limits = byModule.get(module);
  if (!limits) byModule.set(module, (limits = { allowed: [`${module}.*`], modules: { [module]: {} } }));
  return limits;
}

const presetOf = ({ presets = {} }: ServedHost, name: string): Access | undefined =>
  Object.hasOwn(presets, name) ? presets[name] : name === fullPreset.name ? everything : undefined;
const isPreset = (host: ServedHost, name: string): boolean => presetOf(host, name) !== undefined;
const hasModule = ({ registry }: ServedHost, name: string): boolean =>
  registry.snapshot.sources.some(({ module }) => module === name);

function isEmpty(host: ServedHost, scope: Scope): boolean {
  if (visibleTools(host.registry.snapshot, scope).domain.length > 0) return false;
  return (['resources', 'prompts'] as const).every((what) => upstreamsWith(host, scope, what).length === 0);
}

function notThere(host: ServedHost, name: string): PegboardError {
  const modules = host.registry.snapshot.sources.map(({ module }) => module);
  const near = nearest(name, new Set([...Object.keys(host.presets ?? {}), ...modules]), 3);
  const hint = near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : '';
  return new PegboardError('PEG_USAGE', `There is no preset, space or module "${name}".${hint}`);
}
