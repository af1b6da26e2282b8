import { PegboardError } from '../../core/errors.ts';
import { pegboard } from '../../core/own-command.ts';
import { interpolate } from '../../core/documents/interpolate.ts';
import { nameOfPostgres } from '../../store/database/postgres/address.ts';
import type { WhyUnset } from '../../core/secrets/why-unset.ts';
import type { SecretStore } from '../../store/secrets/secrets.ts';

/** Where the state goes. */
export interface Address {
  /** Undefined: the file in data/. */
  readonly url: string | undefined;
  /** As it will be in pegboard.yaml, without a password. */
  readonly written: string | undefined;
  /** A password that is in no secret yet, with the name under which it will be stored. */
  readonly newSecret: { readonly name: string; readonly value: string } | undefined;
}

const secretName = 'POSTGRES_PASSWORD';

/**
 * `to`: "sqlite", or the address of a Postgres, with `${NAME}` or with its password. Throws PEG_USAGE and PEG_CONFIG.
 */
export function readAddress(
  to: string,
  {
    secrets,
    resolve,
    whyUnset,
  }: {
    readonly secrets: SecretStore;
    readonly resolve: (name: string) => string | undefined;
    readonly whyUnset: WhyUnset;
  },
): Address {
  if (to === 'sqlite') return { url: undefined, written: undefined, newSecret: undefined };
  if (!/^postgres(ql)?:\/\//.test(to))
    throw new PegboardError(
      'PEG_USAGE',
      `--to is "sqlite" or postgres://USER:PASSWORD@HOST:5432/DATABASE. Nothing was changed.`,
    );
  const { text: url, missing } = interpolate(to, resolve);
  if (missing.length > 0)
    throw new PegboardError(
      'PEG_USAGE',
      `--to names ${missing.map((name) => `\${${name}}`).join(', ')}, which is neither a variable nor a secret. ${whyUnset(missing[0]!) ?? `Store it with \`${pegboard} secret set ${missing[0]}\`.`} Nothing was changed.`,
    );
  nameOfPostgres(url, '--to');
  if (new URL(url).searchParams.has('password'))
    throw new PegboardError(
      'PEG_USAGE',
      'Write the password in --to as postgres://USER:PASSWORD@HOST. Nothing was changed.',
    );
  const found = /^([^:]+:\/\/[^:@/]*):([^@/]+)@/.exec(to);
  if (!found || found[2]!.includes('${')) return { url, written: to, newSecret: undefined };
  const [whole, before, value] = found as unknown as readonly [string, string, string];
  const stored = secrets.list().find(({ name }) => secrets.get(name) === value)?.name;
  const name = stored ?? freeName((one) => resolve(one) !== undefined);
  return {
    url,
    written: `${before}:\${${name}}@${to.slice(whole.length)}`,
    newSecret: stored === undefined ? { name, value } : undefined,
  };
}

function freeName(isTaken: (name: string) => boolean): string {
  let name = secretName;
  for (let count = 2; isTaken(name); count++) name = `${secretName}_${count}`;
  return name;
}
