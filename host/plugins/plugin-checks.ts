import { pegboard } from '../core/own-command.ts';
import type { Check } from '../api/diagnostic.ts';
import { messageOf } from '../core/errors.ts';
import type { PluginInstance } from './instance.ts';
import { unknownInCheck } from './kinds/unknown-members.ts';

const statuses = ['ok', 'warning', 'failed'] as const satisfies readonly Check['status'][];

/**
 * The results of a plugin's `checks`. Like an invalid tool, an invalid check is left out and reported, and so is an
 * unknown member. Never rejects: a failure of `checks` is a failed check.
 */
export async function runChecks({ manifest, checks }: PluginInstance): Promise<readonly Check[]> {
  const name = `plugin ${manifest.id}`;
  const report = (message: string, fix?: string): Check => ({
    name,
    status: 'failed',
    message,
    ...(fix !== undefined && { fix }),
  });
  let returned: unknown;
  try {
    returned = await checks();
  } catch (cause) {
    return [report(`its checks failed: ${messageOf(cause)}`, `${pegboard} logs`)];
  }
  if (!Array.isArray(returned))
    return [report(`its checks returned ${kindOf(returned)}`, 'return a list of { name, status, message }')];
  return returned.flatMap((check: unknown, index) => {
    const problem = problemOf(check);
    if (problem !== undefined) return [report(`its check ${index + 1} is left out: ${problem}`)];
    const { name: of, status, message, fix } = check as Check;
    const unknown = [...unknownInCheck(check as Check)].map(({ owner, verb, name: member, nearest }) =>
      report(
        `${owner} ${verb} an unknown member "${member}", which is ignored`,
        nearest === undefined ? undefined : `${member} → ${nearest}?`,
      ),
    );
    return [{ name: of, status, message, ...(fix !== undefined && { fix }) }, ...unknown];
  });
}

function problemOf(check: unknown): string | undefined {
  if (typeof check !== 'object' || check === null || Array.isArray(check))
    return `it is ${kindOf(check)}, not an object`;
  const { name, status, message, fix } = check as { readonly [member in keyof Check]?: unknown };
  if (typeof name !== 'string') return 'its name must be text';
  if (!statuses.some((known) => known === status)) return 'its status must be "ok", "warning" or "failed"';
  if (typeof message !== 'string') return 'its message must be text';
  if (fix !== undefined && typeof fix !== 'string') return 'its fix must be text';
  return undefined;
}

const kindOf = (value: unknown): string =>
  value === null || value === undefined
    ? String(value)
    : Array.isArray(value)
      ? 'a list'
      : `${typeof value === 'object' ? 'an' : 'a'} ${typeof value}`;
