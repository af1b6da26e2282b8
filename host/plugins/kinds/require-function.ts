import { PegboardError } from '../../core/errors.ts';
import type { PluginManifest } from '../loading/manifest.ts';

type Named = Pick<PluginManifest, 'id'>;

/** Refuses a plugin with a part that can't do its work. Without a broken guard, for one, calls would go unguarded. */
export function requireFunction({ id }: Named, what: string, value: unknown, form = 'a function'): void {
  if (typeof value === 'function') return;
  throw new PegboardError('PEG_CONFIG', `${what} of the plugin ${id} is broken: write ${form}.`);
}

/** The same for a function in an object. */
export const requireMember = (plugin: Named, what: string, value: unknown, name: string): void =>
  requireFunction(plugin, what, memberOf(value, name), `an object with a function "${name}"`);

export const memberOf = (value: unknown, name: string): unknown =>
  (value as { readonly [name: string]: unknown } | null | undefined)?.[name];
