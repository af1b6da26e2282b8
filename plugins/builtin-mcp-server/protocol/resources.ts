import type { JsonObject, Scope } from 'pegboard';
import { keepWritten, messageOf } from 'pegboard/kit';
import type { McpClient, Upstream, UpstreamResource, UpstreamResourceTemplate } from 'pegboard/serving';
import { listAll, upstreamsWith, type UpstreamItem } from './upstream-items.ts';
import { channelOptions } from './prompts.ts';
import { invalidParams, RpcError, rpcCodes, rpcErrorIn } from './rpc-error.ts';
import type { ServedHost } from '../served-host.ts';
import type { ClientChannel } from '../client/client-channel.ts';

/**
 * The resources of all servers. URIs stay the same; where two servers have the same one, the first in order keeps it and
 * the other's is `<server>+<uri>`.
 */
export interface Resources {
  list(from: McpClient): Promise<readonly JsonObject[]>;
  listTemplates(from: McpClient): Promise<readonly JsonObject[]>;
  read(uri: unknown, meta: JsonObject | undefined, channel: ClientChannel): Promise<JsonObject>;
  /** Until disposed, this resource's changes are reported by its server. */
  subscribe(uri: string, from: McpClient): Promise<AsyncDisposable>;
  /** Whose template this is, as its own server knows it. */
  findTemplate(uriTemplate: string, from: McpClient): Promise<UpstreamItem<UpstreamResourceTemplate>>;
  /** What our clients call this resource of a server. */
  publicUri(upstream: Upstream, uri: string, session?: string): string;
}

/** The number of sessions whose last list is remembered; the others ask again. */
const maxLists = 200;

interface Place {
  readonly upstream: Upstream;
  readonly uri: string;
}

export function createResources(host: ServedHost, scope: Scope): Resources {
  /** By session, then by public URI, as of the last list; filled when first needed. */
  const known = new Map<string, Map<string, UpstreamItem<UpstreamResource>>>();

  const remember = (from: McpClient, byUri: Map<string, UpstreamItem<UpstreamResource>>): void => {
    const session = sessionOf(from);
    if (!known.has(session)) from.session?.onEnd(() => known.delete(session));
    known.delete(session);
    known.set(session, byUri);
    if (known.size > maxLists) known.delete(known.keys().next().value!);
  };
  const offering = (): readonly Upstream[] => upstreamsWith(host, scope, 'resources');
  const listByUri = async (from: McpClient): Promise<Map<string, UpstreamItem<UpstreamResource>>> => {
    const all = await listAll(
      offering(),
      'resources/list',
      (upstream, signal) => upstream.listResources({ signal, client: from }),
      host.log,
    );
    const byUri = new Map<string, UpstreamItem<UpstreamResource>>();
    for (const found of all) {
      const { uri } = found.item;
      byUri.set(byUri.has(uri) ? qualified(found.upstream, uri) : uri, found);
    }
    remember(from, byUri);
    return byUri;
  };
  const templates = (from: McpClient): Promise<readonly UpstreamItem<UpstreamResourceTemplate>[]> =>
    listAll(
      offering(),
      'resources/templates/list',
      (upstream, signal) => upstream.listResourceTemplates({ signal, client: from }),
      host.log,
    );

  /** The server of this resource, or undefined when no server lists it. */
  const ownerOf = async (uri: string, from: McpClient): Promise<Place | undefined> => {
    const listed = known.get(sessionOf(from))?.get(uri) ?? (await listByUri(from)).get(uri);
    if (listed) return { upstream: listed.upstream, uri: listed.item.uri };
    const named = offering().find(({ name }) => uri.startsWith(`${name}+`));
    return named && { upstream: named, uri: uri.slice(named.name.length + 1) };
  };

  /** An unlisted URI may match a server's template: all servers are tried, in order. */
  const at = async <T>(uri: string, from: McpClient, work: (place: Place) => Promise<T>): Promise<T> => {
    const owner = await ownerOf(uri, from);
    if (owner) return work(owner);
    const failures: unknown[] = [];
    for (const upstream of offering()) {
      try {
        return await work({ upstream, uri });
      } catch (cause) {
        failures.push(cause);
      }
    }
    throw mostSpecific(uri, failures);
  };

  return {
    list: async (from) =>
      [...(await listByUri(from))].map(([uri, { item }]) => keepWritten(item, { ...item, uri })),
    listTemplates: async (from) => (await templates(from)).map(({ item }) => item),
    async read(uri, meta, channel) {
      if (typeof uri !== 'string') throw invalidParams('resources/read needs a uri.');
      return at(uri, channel.from, async (place) => {
        const options = { ...channelOptions(channel), ...(meta && { meta }) };
        return withUri(await place.upstream.readResource(place.uri, options), place.uri, uri);
      });
    },
    async subscribe(uri, from) {
      // The server counts them, of each client by itself where each has a connection of its own.
      const { upstream, uri: own } = await at(uri, from, async (place) => {
        await place.upstream.subscribe(place.uri, from);
        return place;
      });
      return {
        async [Symbol.asyncDispose]() {
          await upstream
            .unsubscribe(own, from)
            .catch((cause: unknown) =>
              host.log.warn(`unsubscribing from ${uri} failed: ${messageOf(cause)}`),
            );
        },
      };
    },
    async findTemplate(uriTemplate, from) {
      const found = (await templates(from)).find(({ item }) => item.uriTemplate === uriTemplate);
      if (!found) throw invalidParams(`There is no resource template ${uriTemplate}.`);
      return found;
    },
    publicUri(upstream, uri, session = '') {
      const lists = session === '' ? [...known.values()] : [known.get(session)];
      const owner = lists.findLast((list) => list?.has(uri))?.get(uri)?.upstream;
      return owner === undefined || owner === upstream ? uri : qualified(upstream, uri);
    },
  };
}

const sessionOf = ({ session }: McpClient): string => session?.id ?? '';

const qualified = (upstream: Upstream, uri: string): string => `${upstream.name}+${uri}`;

/** Contents come back under the URI that they were asked for. */
function withUri(result: JsonObject, own: string, asked: string): JsonObject {
  const { contents } = result;
  if (own === asked || !Array.isArray(contents)) return result;
  const renamed = contents.map((part: JsonObject) =>
    part['uri'] === own ? keepWritten(part, { ...part, uri: asked }) : part,
  );
  return keepWritten(result, { ...result, contents: renamed });
}

const notFoundCodes: ReadonlySet<number> = new Set([
  rpcCodes.resourceNotFound,
  rpcCodes.invalidParams,
  rpcCodes.methodNotFound,
]);

/** The error for a resource that no server could read: one other than "not found" says more. */
function mostSpecific(uri: string, failures: readonly unknown[]): RpcError {
  const said = failures.flatMap((cause) => rpcErrorIn((cause as { readonly data?: unknown }).data) ?? []);
  const telling = said.find(({ code }) => !notFoundCodes.has(code)) ?? said[0];
  const message = [`There is no resource ${uri}.`, ...failures.map(messageOf)].join(' ');
  return telling ?? new RpcError(rpcCodes.resourceNotFound, message, { uri });
}
