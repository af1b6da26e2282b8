import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';

/** What the conformance suite requires for a revision of the protocol. */
export interface Requirements {
  readonly required: readonly string[];
  /** Run and reported, but not required: extensions, and scenarios that were added later. */
  readonly notScored: readonly string[];
}

interface Check {
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  readonly errorMessage?: string;
}

const suite = dirname(
  createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json'),
);

export async function requirementsOf(revision: string, leg: 'server' | 'client'): Promise<Requirements> {
  const file = parse(await readFile(join(suite, 'requirements', `${revision}.yaml`), 'utf8')) as {
    readonly [leg in 'server' | 'client']: readonly string[];
  } & { readonly not_scored: readonly { readonly scenario: string; readonly leg: string }[] };
  return {
    required: file[leg],
    notScored: file.not_scored.filter((entry) => entry.leg === leg).map(({ scenario }) => scenario),
  };
}

/**
 * Runs the suite and returns the failures of every scenario that ran, followed by what its client wrote to stderr. `out`
 * is an empty folder.
 */
export async function runConformance(
  args: readonly string[],
  out: string,
): Promise<ReadonlyMap<string, string[]>> {
  const command = [join(suite, 'dist', 'index.js'), ...args, '-o', out];
  // It exits with 1 when a scenario fails; which ones do is in its results.
  await promisify(execFile)(process.execPath, command, { maxBuffer: 64 * 1024 * 1024 }).catch(
    (cause: { readonly code?: unknown; readonly stdout?: string; readonly stderr?: string }) => {
      if (cause.code !== 1) throw new Error(`the conformance suite broke: ${cause.stderr}`, { cause });
    },
  );
  const results = new Map<string, string[]>();
  for (const file of await readdir(out, { recursive: true })) {
    if (basename(file) !== 'checks.json') continue;
    const scenario = dirname(file)
      .replace(/^server-(?=.)/, '')
      .replace(/-\d{4}-\d\d-\d\dT.*$/, '');
    const checks = JSON.parse(await readFile(join(out, file), 'utf8')) as readonly Check[];
    const wrong = checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING');
    const failures = wrong.map(({ id, errorMessage }) => `${id}: ${errorMessage ?? 'failed'}`);
    const said = await readFile(join(out, dirname(file), 'stderr.txt'), 'utf8').catch(() => '');
    results.set(scenario, failures.length === 0 || said === '' ? failures : [...failures, said]);
  }
  return results;
}

/** The scenarios that docs/conformance.md lists, with a reason, under this heading. */
export async function documentedFailures(heading: string): Promise<readonly string[]> {
  const page = await readFile(join(import.meta.dirname, '../../../docs/conformance.md'), 'utf8');
  const section = page.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  return [...section.matchAll(/^\| `([^`]+)` \| .+ \|$/gm)].map((row) => row[1]!).sort();
}
