import { nearest } from '../core/documents/nearest.ts';
import { PegboardError } from '../core/errors.ts';
import type { Host } from '../host.ts';

/** Returns what holds now. Throws PEG_USAGE for an invalid name or an empty value. */
export async function storeSecret(
  name: string,
  value: string,
  { secrets }: Pick<Host, 'secrets'>,
): Promise<string> {
  await secrets.set(name, value, 'owner');
  return `${name} is stored. Manifests and servers get it as \${${name}}.`;
}

/** Returns what holds now. Throws PEG_USAGE when there is no such secret. */
export async function deleteSecret(name: string, { secrets }: Pick<Host, 'secrets'>): Promise<string> {
  if (await secrets.delete(name)) return `${name} is deleted.`;
  const [near] = nearest(
    name,
    secrets.list().map((secret) => secret.name),
  );
  throw new PegboardError(
    'PEG_USAGE',
    `There is no secret "${name}".${near === undefined ? '' : ` Did you mean ${near}?`}`,
  );
}
