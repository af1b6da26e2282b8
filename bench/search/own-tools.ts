import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { SearchedTool } from '../../plugins/builtin-search/index/fields.ts';

const cliEntry = join(import.meta.dirname, '../../bin/pegboard.cjs');

/** The tools of a fresh home, as its search sees them. */
export async function ownTools(): Promise<ReadonlyMap<string, SearchedTool>> {
  const home = await mkdtemp(join(tmpdir(), 'pegboard-bench-'));
  try {
    await writeFile(join(home, 'pegboard.yaml'), '');
    const listing = [cliEntry, '--home', home, 'tools', '--json'];
    const { stdout } = await promisify(execFile)(process.execPath, listing, { maxBuffer: 1 << 24 });
    const { tools } = JSON.parse(stdout) as {
      readonly tools: readonly (Omit<SearchedTool, 'source'> & { readonly id: string })[];
    };
    return new Map(
      tools
        .map((tool) => ({ ...tool, source: { module: tool.id.split('.')[0]!, description: '' } }))
        .filter(({ source }) => source.module !== 'meta')
        .map((tool) => [tool.id, tool]),
    );
  } finally {
    await rm(home, { recursive: true });
  }
}
