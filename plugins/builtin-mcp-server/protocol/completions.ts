import type { JsonObject } from 'pegboard';
import type { McpClient, Upstream } from 'pegboard/serving';
import { isObject } from './exchange.ts';
import { channelOptions, type Prompts } from './prompts.ts';
import type { Resources } from './resources.ts';
import type { ClientChannel } from '../client/client-channel.ts';
import { invalidParams } from './rpc-error.ts';

/** Asks the server that a prompt or template belongs to. A server without completions has none to offer. */
export async function complete(
  params: JsonObject,
  { prompts, resources }: { readonly prompts: Prompts; readonly resources: Resources },
  channel: ClientChannel,
): Promise<JsonObject> {
  const { ref } = params;
  if (!isObject(ref)) throw invalidParams('completion/complete needs a ref.');
  const { upstream, own } = await ownerOf(ref, prompts, resources, channel.from);
  const capabilities = upstream.capabilities();
  if (capabilities && !capabilities.completions)
    return { completion: { values: [], total: 0, hasMore: false } };
  return upstream.complete({ ...params, ref: own }, channelOptions(channel));
}

async function ownerOf(
  ref: JsonObject,
  prompts: Prompts,
  resources: Resources,
  from: McpClient,
): Promise<{ readonly upstream: Upstream; readonly own: JsonObject }> {
  if (ref['type'] === 'ref/prompt' && typeof ref['name'] === 'string') {
    const { upstream, item } = await prompts.find(ref['name'], from);
    return { upstream, own: { ...ref, name: item.name } };
  }
  if (ref['type'] === 'ref/resource' && typeof ref['uri'] === 'string') {
    const { upstream, item } = await resources.findTemplate(ref['uri'], from);
    return { upstream, own: { ...ref, uri: item.uriTemplate } };
  }
  throw invalidParams('A ref is {"type": "ref/prompt", "name"} or {"type": "ref/resource", "uri"}.');
}
