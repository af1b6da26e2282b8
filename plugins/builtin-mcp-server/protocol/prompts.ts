import type { JsonObject, Scope } from 'pegboard';
import { nearest } from 'pegboard/channels';
import { keepWritten } from 'pegboard/kit';
import type { McpClient, UpstreamCallOptions, UpstreamPrompt } from 'pegboard/serving';
import { listAll, upstreamsWith, type UpstreamItem } from './upstream-items.ts';
import { invalidParams } from './rpc-error.ts';
import type { ServedHost } from '../served-host.ts';
import type { ClientChannel } from '../client/client-channel.ts';
import { isObject } from './exchange.ts';

/** The prompts of all servers. The first in order keeps a bare name, the others are called `<server>__<prompt>`. */
export interface Prompts {
  list(from: McpClient): Promise<readonly JsonObject[]>;
  get(
    name: unknown,
    args: unknown,
    meta: JsonObject | undefined,
    channel: ClientChannel,
  ): Promise<JsonObject>;
  /** The server that has this prompt, and its name there. */
  find(name: string, from: McpClient): Promise<UpstreamItem<UpstreamPrompt>>;
}

export function createPrompts(host: ServedHost, scope: Scope): Prompts {
  const byName = async (client: McpClient): Promise<Map<string, UpstreamItem<UpstreamPrompt>>> => {
    const upstreams = upstreamsWith(host, scope, 'prompts');
    const all = await listAll(
      upstreams,
      'prompts/list',
      (upstream, signal) => upstream.listPrompts({ signal, client }),
      host.log,
    );
    const named = new Map<string, UpstreamItem<UpstreamPrompt>>();
    for (const found of all) {
      const { name } = found.item;
      named.set(named.has(name) ? qualified(found) : name, found);
    }
    return named;
  };

  const find = async (name: string, from: McpClient): Promise<UpstreamItem<UpstreamPrompt>> => {
    const named = await byName(from);
    const found = named.get(name) ?? [...named.values()].find((other) => qualified(other) === name);
    if (found) return found;
    const near = nearest(name, named.keys(), 3);
    const hint = near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : '';
    throw invalidParams(`There is no prompt "${name}".${hint}`);
  };

  return {
    find,
    list: async (from) =>
      [...(await byName(from))].map(([name, { item }]) => keepWritten(item, { ...item, name })),
    async get(name, args, meta, channel) {
      if (typeof name !== 'string') throw invalidParams('prompts/get needs the name of a prompt.');
      if (args !== undefined && !isObject(args))
        throw invalidParams('The arguments of a prompt are an object.');
      const { upstream, item } = await find(name, channel.from);
      return upstream.getPrompt(item.name, args as { readonly [name: string]: string } | undefined, {
        ...channelOptions(channel),
        ...(meta && { meta }),
      });
    },
  };
}

const qualified = ({ upstream, item }: UpstreamItem<UpstreamPrompt>): string =>
  `${upstream.name}__${item.name}`;

/** A prompt's messages as upstream servers expect them. */
export function channelOptions({ signal, ask, peer, from, onProgress }: ClientChannel): UpstreamCallOptions {
  return {
    signal,
    peer,
    client: from,
    ask,
    ...(onProgress && { onProgress }),
  };
}
