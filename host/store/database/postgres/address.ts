import { PegboardError } from '../../../core/errors.ts';

/**
 * The addresses that can be read in one way only. A password with an unescaped `@`, `/`, `?` or `#` ends too early, and
 * the rest of it would pass for a host or a database, which messages show.
 */
const postgresUrl =
  /^postgres(?:ql)?:\/\/(?:[^@/?#]*@)?(?:[\p{L}\p{N}._~%-]*|\[[\dA-Fa-f:.]+\])(?::\d*)?(?:\/[^@/?#]*)?(?:\?[^@#]*)?$/u;

/**
 * How messages name the database of a URL: without its password. `from` says where the URL is written. Throws PEG_CONFIG
 * for anything but such a URL.
 */
export function nameOfPostgres(url: string, from = '`state` in pegboard.yaml'): string {
  const parsed = postgresUrl.test(url) ? URL.parse(url) : null;
  if (!parsed) throw notAnAddress(from);
  const { username, hostname, port, pathname, searchParams } = parsed;
  const user = username === '' ? '' : `${username}@`;
  const host = hostname === '' ? (searchParams.get('host') ?? '') : hostname;
  return `postgres://${user}${host}${port === '' ? '' : `:${port}`}${pathname}`;
}

/** Shows nothing of what was written: nobody knows where its password ends. */
const notAnAddress = (from: string): PegboardError =>
  new PegboardError(
    'PEG_CONFIG',
    `${from} is not the address of a Postgres database. It looks like postgres://USER:PASSWORD@HOST:5432/DATABASE; in a password, write @ as %40, / as %2F, ? as %3F and # as %23.`,
  );
