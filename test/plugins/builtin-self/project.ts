import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { dirname, join } from 'node:path';
import { temporaryFolder } from '../../kit/homes/plugin-home.ts';

/** The host of the checkout in these tests: an HTTP server that returns its version. */
export const app = (version: string): string => `
  require('http').createServer((request, response) => response.end('${version}'))
    .listen(require('path').join(__dirname, '../app.sock'));`;

export const restart = `
  const { spawn } = require('child_process'); const fs = require('fs');
  try { process.kill(Number(fs.readFileSync('app.pid', 'utf8')), 'SIGKILL'); } catch {}
  fs.rmSync('app.sock', { force: true });
  const child = spawn(process.execPath, ['host/app.cjs'], { detached: true, stdio: 'ignore' });
  fs.writeFileSync('app.pid', String(child.pid)); child.unref();`;
/** Polled by one process: starting Node for each check took a third of the time of these tests. */
const health = 'curl -sf -o /dev/null --max-time 1 --unix-socket app.sock http://app/ || exit 1\n';
/** A check that fails on the quoted text. */
const check = (fault: string): string =>
  `import { readFileSync } from 'node:fs';
if (readFileSync('host/app.cjs', 'utf8').includes('${fault}')) { console.log('1 failed'); process.exit(1); }
console.log('all passed ' + process.argv.slice(2).join(' '));`;

export interface TestProject {
  readonly root: string;
  readonly git: (...args: string[]) => string;
  readonly write: (path: string, text: string) => void;
}

/** A checkout in a folder, by default a temporary one. Its "host" is \`app\`, and version 1 is there. */
export function createProject({
  root = temporaryFolder(),
  first = app('v1'),
}: { readonly root?: string; readonly first?: string } = {}): TestProject {
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
      cwd: root,
      encoding: 'utf8',
    });
  const files = {
    'package.json': '{ "name": "project", "version": "1.0.0" }',
    'host/app.cjs': first,
    'host/dispatch/confirm.ts': 'export {};\n',
    'tools/restart.cjs': restart,
    'tools/health.sh': health,
    'node_modules/typescript/bin/tsc': check('type error'),
    'node_modules/typescript/package.json': '{ "type": "module" }',
    'node_modules/vitest/vitest.mjs': check('failing test'),
    '.gitignore': 'node_modules\napp.pid\napp.sock\nhome\n*.mark\n*.fill\n',
  };
  for (const [path, text] of Object.entries(files)) write(path, text);
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('commit', '-q', '-m', 'First');
  return { root, git, write };
}

/** The version that answers, or why none does. */
export function versionIn(root: string): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const request = get({ socketPath: join(root, 'app.sock'), timeout: 2_000 }, (response) => {
    response.setEncoding('utf8').on('data', resolve);
  });
  request.on('error', (cause) => resolve(cause.message));
  return promise;
}
