import type { Scope } from '../api/source.ts';
import type { Host } from '../host.ts';
import type { Context } from './command.ts';

/** The owner's scope, or with --agent that of an agent. */
export function scopeOf(host: Host, { options }: Pick<Context, 'options'>): Scope {
  return host.scopeFor(options.value('agent'));
}
