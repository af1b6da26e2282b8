import type { Host } from 'pegboard/embed';
import { type SecretUse, usesIn } from 'pegboard/home';
import { storeSecret } from 'pegboard/kit';
import { connectLater } from '../api/server-acts.ts';
import type { SecretChange } from './wire.ts';

/** Stores the value, and starts what has waited for it. Throws PEG_USAGE for an invalid name or an empty value. */
export async function setSecret(name: string, value: string, host: Host): Promise<SecretChange> {
  const uses = [...usesIn(host)].flatMap(({ variable, use }) => (variable === name ? [use] : []));
  const started = uses.filter((use) => !use.isMissing && isStarted(use, host));
  const message = await storeSecret(name, value, host);
  await host.reloadConfig();
  for (const { kind, name: waiting, isMissing } of uses) {
    if (isMissing && kind === 'plugin') await host.plugins.reload(waiting);
    if (isMissing && kind === 'server') connectLater(waiting, host);
  }
  return { message, startedBefore: started.map(({ kind, name: running }) => ({ kind, name: running })) };
}

function isStarted({ kind, name }: SecretUse, { servers, plugins }: Host): boolean {
  if (kind === 'server') return servers.get(name)?.status().state === 'ready';
  return kind === 'plugin' && plugins.instances.some(({ manifest }) => manifest.id === name);
}
