import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProcess, type RunningProcess } from './process.ts';

export const clone = join(import.meta.dirname, '../..');

/** What a user starts: the path of `bin/pegboard.cjs` in a clone or a built package. */
export const cloneEntry = join(clone, 'bin/pegboard.cjs');

let built: string | undefined;

/** The built package's. */
export const packageEntry = (): string => join(packageFolder(), 'bin/pegboard.cjs');

/** The module that programs import as "pegboard". */
export const packageHost = (): string => join(packageFolder(), 'host/exports/embed.js');

/** Built once per run, outside the clone so that nothing of the clone is found by accident. */
function packageFolder(): string {
  if (built === undefined) {
    built = realpathSync(mkdtempSync(join(tmpdir(), 'pegboard-built-')));
    const folder = built;
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    execFileSync(process.execPath, [join(clone, 'tools/build.ts'), built], { stdio: 'inherit' });
  }
  return built;
}

/** Arguments for Node that serve a home on stdin and stdout. */
export function stdioArgs(home: string): string[] {
  return [packageEntry(), 'serve', '--stdio', '--home', home];
}

/** A Pegboard that serves a home over HTTP, and where. */
export async function serveHttp(home: string): Promise<RunningProcess & { readonly url: string }> {
  const served = startProcess([packageEntry(), 'serve', '--http', '0', '--home', home]);
  const [url] = await served.printed(/http:\/\/[^\s/]+\/mcp/);
  return { ...served, url };
}
