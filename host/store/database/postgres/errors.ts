import { PegboardError, messageOf } from '../../../core/errors.ts';

/** SQLSTATE of ours: the state was moved from this database to another one. */
export const stateWasMoved = 'PM001';

/** The address comes from one of these. */
const correct = 'correct `state` in pegboard.yaml, or `--to`';

/** SQLSTATE and system codes that an owner can do something about, and what. */
const advice: { readonly [code: string]: string } = {
  ECONNREFUSED: `no server answers there: start it, or ${correct}`,
  ENOTFOUND: `there is no machine of that name: ${correct}`,
  EAI_AGAIN: 'the name of the machine could not be looked up: check the network, and try again',
  ENOENT: `there is no socket at that path: start the server, or ${correct}`,
  EHOSTUNREACH: 'the machine is not reachable: check the network',
  ENETUNREACH: 'the machine is not reachable: check the network',
  '28P01': `the password is wrong: ${correct}, or the variable that it names`,
  '28000': "the server doesn't let this user in: check the user in `state`, and the server's pg_hba.conf",
  '3D000': `there is no database of that name: create it, or ${correct}`,
  '42501':
    "the user has no permission for it: make the user the owner of the database's schema pegboard, or of the database",
  '53100': 'the disk of the server is full: make room and try again',
  '53200': 'the server is out of memory: try again, or give it more',
  '53300':
    "the server has no connection left for it: close others, or raise the server's max_connections, or the limit of this database or user",
  '55000':
    'the database takes no connections, as while it is being dropped or restored: use another one, or wait',
  '55P03': 'another process kept it locked for longer than 5 s: try again, or stop that process',
  '57P03': 'the server is starting or stopping: try again in a moment',
  '57014': 'a statement took longer than 20 s: see what the server is busy with, and try again',
  '25006':
    'the server is read-only, as a replica is: name the primary server in `state`, or make this one writable',
  [stateWasMoved]:
    'give this home the `state` in pegboard.yaml that the home has from which it was moved, or stop it for good',
  '25P03': 'this process stood still in the middle of a transaction, and the server has undone it: try again',
};

const unreachable =
  'the server did not answer in time, or the connection broke: check the server and the network, and try again';

/** Classes of SQLSTATE in which the statement itself is at fault. */
const ownMistakes = /^(0A|2[12367]|2F|34|3B|42|44|P0)/;

/**
 * Converts an error of Postgres to one for the owner. Anything else, such as a mistake in a query or a violated
 * constraint, is returned unchanged. `name` has no password.
 */
export function explainPostgresError(name: string, cause: unknown): unknown {
  if (cause instanceof PegboardError) return cause;
  const code = codeOf(cause);
  const known = code === undefined ? undefined : advice[code];
  if (known === undefined && code !== undefined && isSqlState(code) && ownMistakes.test(code)) return cause;
  if (known === undefined && !breaksConnection(cause)) return cause;
  return new PegboardError(
    'PEG_DATABASE',
    `The database ${name} failed (${messageIn(cause)}): ${known ?? unreachable}.`,
    { cause },
  );
}

/** Whether the connection can't be used again. */
export function breaksConnection(cause: unknown): boolean {
  const code = codeOf(cause);
  if (code !== undefined && isSqlState(code)) return /^(08|57P|25P03)/.test(code);
  const isSystemError = code !== undefined && /^E[A-Z]+/.test(code);
  return (
    isSystemError ||
    /timeout|connection (?:terminated|error)|not queryable|socket|SSL|certificate/i.test(messageOf(cause))
  );
}

export const codeOf = (cause: unknown): string | undefined =>
  (cause as { readonly code?: string } | undefined)?.code;

const isSqlState = (code: string): boolean => /^[0-9A-Z]{5}$/.test(code) && /\d/.test(code);

/** A name with several addresses fails with an error for each, and no message of its own. */
function messageIn(cause: unknown): string {
  const errors = cause instanceof AggregateError ? cause.errors.map(messageOf) : [];
  return errors.length > 0 ? errors.join('; ') : messageOf(cause);
}
