import { join } from 'node:path';
import { readDotenv } from '../core/documents/dotenv.ts';
import { isSecretName } from '../core/secrets/secret-names.ts';
import type { Host } from '../host.ts';
import type { DescribedSecret, SecretUse } from './described-secret.ts';
import { usesIn } from './uses.ts';

/** The secrets that are stored, and those that something names: first what something needs and doesn't have. */
export function describeSecrets(host: Host): readonly DescribedSecret[] {
  const stored = new Map(host.secrets.list().map(({ name, origin, at }) => [name, { origin, at }]));
  const dotenv = readDotenv(join(host.home, '.env'), host.surroundings);
  const uses = new Map<string, SecretUse[]>();
  for (const { variable, use } of usesIn(host)) {
    const others = uses.get(variable);
    if (others) others.push(use);
    else uses.set(variable, [use]);
  }
  const isListed = (name: string): boolean =>
    stored.has(name) || isSecretName(name) || isNeeded({ uses: uses.get(name) ?? [] });
  const names = [...new Set([...stored.keys(), ...uses.keys()])].filter(isListed).toSorted();
  const described = names.map((name): DescribedSecret => {
    const inStore = stored.get(name);
    const from =
      host.surroundings.env[name] !== undefined
        ? 'environment'
        : Object.hasOwn(dotenv, name)
          ? '.env'
          : inStore && 'store';
    return {
      name,
      ...(from && { from }),
      ...(inStore && { stored: inStore }),
      uses: uses.get(name) ?? [],
    };
  });
  return [...described.filter(isNeeded), ...described.filter((one) => !isNeeded(one))];
}

const isNeeded = ({ uses }: Pick<DescribedSecret, 'uses'>): boolean =>
  uses.some(({ isMissing }) => isMissing);
