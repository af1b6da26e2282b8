/**
 * `node --expose-gc serve-page.ts FOLDER WITH`: a host of the home FOLDER, with its page ("page") or without ("none").
 * Prints a link to the page; and at each SIGUSR2, after a collection, what it keeps in memory, in MB.
 */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHost } from '../../host/create-host.ts';

const [home = '', what] = process.argv.slice(2);
const stateFolder = await mkdtemp(join(tmpdir(), 'pegboard-bench-'));
const host = await createHost({ home, stateFolder, watch: true, mcp: 'off' });
// A host without a page has nothing to wait for.
setInterval(() => undefined, 60_000);
// What every host that is used has loaded.
for (const [name, args] of [
  ['core.schedule_list', {}],
  ['meta.search_tools', { query: 'read a file' }],
] as const)
  await host.dispatch({ name, args, scope: host.scopeFor(undefined), caller: 'bench' });
let looks = 0;
process.on('SIGUSR2', () => {
  for (let round = 0; round < 4; round++) globalThis.gc!();
  const { heapUsed, external } = process.memoryUsage();
  console.log(`kept ${++looks}: ${(heapUsed + external) / 1_048_576}`);
});
if (what === 'page') {
  const { HttpPage } = await import('../../host/cli/serving/tokens.ts');
  const { serveWeb } = await import('../../plugins/builtin-page/serve-web.ts');
  const { pageLink } = await import('../../plugins/builtin-page/session/served-page.ts');
  const { origin } = await serveWeb((await host.plugins.use(HttpPage)((pages) => pages.open(host)))!, 0);
  console.log(`link: ${pageLink(host.stateFolder, origin)}`);
} else console.log('link: none');
