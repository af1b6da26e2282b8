/**
 * `read-manifests.ts HOME COUNT`: prints how many milliseconds it takes to read and parse the front matter of that
 * home's tools.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';

const [home, count] = process.argv.slice(2) as [string, string];
const start = performance.now();
const parsed = globSync('spaces/*/agent/tools/*.md', { cwd: home }).map((path) => {
  const text = readFileSync(join(home, path), 'utf8');
  return load(text.slice(4, text.indexOf('\n---', 4)));
});
const elapsed = performance.now() - start;
if (parsed.length < Number(count)) throw new Error(`${parsed.length} manifests instead of ${count}`);
console.log(elapsed);
