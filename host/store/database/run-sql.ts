import { dirname } from 'node:path';
import { processSurroundings } from '../../core/platform/surroundings.ts';
import { childEnvironment } from '../../core/processes/environment.ts';
import { PegboardError } from '../../core/errors.ts';
import { runProcess } from '../../core/processes/process.ts';

/** Milliseconds. */
const maxTimeoutMs = 600_000;

const program = `
const [path, statements] = process.argv.slice(1);
const database = new (require('node:sqlite').DatabaseSync)(path, { timeout: 60_000 });
for (const { sql, parameters } of JSON.parse(statements)) database.prepare(sql).run(...parameters);`;

export type SqlStatement = string | { readonly sql: string; readonly parameters: readonly string[] };

/**
 * Runs statements on a database as another process, so that a long one doesn't block this process. Throws PEG_DATABASE
 * with SQLite's message, and the signal's reason.
 */
export async function runSql(
  path: string,
  statements: readonly SqlStatement[],
  signal?: AbortSignal,
): Promise<void> {
  const all = statements.map((one) => (typeof one === 'string' ? { sql: one, parameters: [] } : one));
  const { exitCode, stderr } = await runProcess({
    argv: [process.execPath, '--no-warnings', '-e', program, path, JSON.stringify(all)],
    cwd: dirname(path),
    environment: childEnvironment(processSurroundings().env),
    timeoutMs: maxTimeoutMs,
    ...(signal && { signal }),
  });
  signal?.throwIfAborted();
  if (exitCode !== 0) throw new PegboardError('PEG_DATABASE', stderr.trim().slice(-300));
}
