import type { Scope } from '../api/source.ts';
import type { Host } from '../host.ts';
import type { Context } from './command.ts';

/** The owner's, or with --agent an agent's. */
export function scopeOf(host: Host, { options }: Pick<Context, 'options'>): Scope {
  return host.scopeFor(options.value('agent'));
}
