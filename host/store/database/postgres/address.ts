import { PegboardError } from '../../../core/errors.ts';

/** How messages name the database of a URL: without its password. Throws PEG_CONFIG for anything but such a URL. */
export function nameOfPostgres(url: string): string {
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch (cause) {
    throw notAnAddress({ cause });
  }
  if (!isPostgresUrl(url)) throw notAnAddress();
  const { username, hostname, port, pathname, searchParams } = parsed;
  const user = username === '' ? '' : `${username}@`;
  const host = hostname === '' ? (searchParams.get('host') ?? '') : hostname;
  return `postgres://${user}${host}${port === '' ? '' : `:${port}`}${pathname}`;
}

const isPostgresUrl = (url: string): boolean => /^postgres(ql)?:\/\//.test(url);

const notAnAddress = (options: { readonly cause?: unknown } = {}): PegboardError =>
  new PegboardError(
    'PEG_CONFIG',
    '`state` in pegboard.yaml is not the address of a Postgres database. It looks like postgres://USER:PASSWORD@HOST:5432/DATABASE; characters such as @ and / in a password are written as %40 and %2F.',
    options,
  );
