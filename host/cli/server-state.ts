import { writtenState } from '../compose/home-database.ts';
import { docsPage } from '../core/docs-page.ts';
import type { Terminal } from './terminal/terminal.ts';
import { warn } from './warn.ts';

/** What is on a database server is neither in a backup nor restored from one. */
export function warnOfServerState(home: string, terminal: Terminal): void {
  if (writtenState(home) === undefined) return;
  warn(
    terminal,
    `this home keeps conversations, memory, schedules, approvals and secrets on a Postgres server, and they are in no backup of Pegboard: pg_dump and pg_restore are for them, as ${docsPage('many-hosts.md')} shows`,
  );
}
