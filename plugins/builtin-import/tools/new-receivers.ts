import { toJson } from 'pegboard';
import type { Host } from 'pegboard/embed';
import { variableOf } from 'pegboard/kit';
import type { Context } from 'pegboard/terminal';
import type { ToolPlan } from './tool-plan.ts';

/** A secret that has a value, and a host to which no tool sends it yet. */
export interface NewReceiver {
  readonly name: string;
  readonly host: string;
}

/**
 * Who would get a secret that is there already: a document chooses the names of its secrets by what it says about itself,
 * and where they go. `openHost`: absent in a rehearsal, which knows the environment alone.
 */
export async function newReceivers(
  { tools, secrets }: ToolPlan,
  { home, surroundings }: Pick<Context, 'home' | 'surroundings'>,
  openHost: (() => Promise<Host>) | undefined,
): Promise<readonly NewReceiver[]> {
  if (secrets.length === 0) return [];
  const host = await openHost?.();
  const variable = variableOf(home, surroundings);
  const valueOf = (name: string): string | undefined => variable(name) ?? host?.secrets.get(name);
  return secrets.flatMap(({ name, value }) => {
    const known = valueOf(name);
    // Whoever pastes a request with its key sends it there.
    if (known === undefined || known === value) return [];
    const sent = new Set(host ? receiversOf(host, name) : []);
    const wanted = tools.flatMap(({ manifest: { http } }) =>
      http && toJson(http).includes(`\${${name}}`) ? [hostOf(http.url)] : [],
    );
    return [...new Set(wanted)].filter((one) => !sent.has(one)).map((one) => ({ name, host: one }));
  });
}

const receiversOf = ({ registry }: Host, name: string): readonly string[] =>
  [...registry.snapshot.tools.values()]
    .filter(({ secrets, command }) => command !== undefined && secrets?.().includes(name))
    .map(({ command }) => hostOf(command!.replace(/^[A-Z]+ /, '')));

/** Of an address. Without encryption it is somebody else's. */
export function hostOf(address: string): string {
  const url = URL.parse(address);
  return url ? (url.protocol === 'https:' ? url.host : url.origin) : address;
}
