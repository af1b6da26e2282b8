import type { JsonObject, Scope } from 'pegboard';
import { admitsModule } from 'pegboard/kit';
import { serverName, type ServedHost } from '../served-host.ts';

type Info = { readonly name: string; readonly version: string } & JsonObject;

/** What clients show to people about a server. */
const shown = ['title', 'description', 'icons', 'websiteUrl'] as const;

/** Pegboard as MCP's Implementation: with the face of the one server behind it, where a client is served nothing else. */
export function serverInfoOf(host: ServedHost, scope: Scope): Info {
  const own = { name: serverName, version: host.version };
  const sources = host.registry.snapshot.sources.filter(({ module }) => admitsModule(module, scope));
  const [only] = sources;
  if (sources.length !== 1 || only?.kind !== 'mcp') return own;
  const info = host.upstreams.find(({ module }) => module === only.module)?.info() ?? {};
  const given = shown.flatMap((key) => (info[key] === undefined ? [] : [[key, info[key]] as const]));
  return { ...own, ...Object.fromEntries(given) };
}
