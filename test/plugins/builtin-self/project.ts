import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryFolder } from '../../kit/plugin-home.ts';

/** What the host of the checkout is in these tests: an HTTP server that says its version. */
export const app = (version: string): string => `
  require('http').createServer((request, response) => response.end('${version}'))
    .listen(require('path').join(__dirname, '../app.sock'));`;

const restart = `
  const { spawn } = require('child_process'); const fs = require('fs');
  try { process.kill(Number(fs.readFileSync('app.pid', 'utf8')), 'SIGKILL'); } catch {}
  fs.rmSync('app.sock', { force: true });
  const child = spawn(process.execPath, ['host/app.cjs'], { detached: true, stdio: 'ignore' });
  fs.writeFileSync('app.pid', String(child.pid)); child.unref();`;
const health = `
  const request = require('http').get({ socketPath: 'app.sock', timeout: 1000 }, (response) => process.exit(response.statusCode === 200 ? 0 : 1));
  request.on('error', () => process.exit(1)); request.on('timeout', () => process.exit(1));`;

/** A checkout in a temporary folder: its checks always pass, its "host" is \`app\`. */
export function createProject(): {
  readonly root: string;
  readonly git: (...args: string[]) => string;
  readonly write: (path: string, text: string) => void;
} {
  const root = temporaryFolder({
    'package.json': '{ "name": "project", "version": "1.0.0" }',
    'host/app.cjs': app('v1'),
    'host/dispatch/confirm.ts': 'export {};\n',
    'tools/restart.cjs': restart,
    'tools/health.cjs': health,
    'node_modules/typescript/bin/tsc': '',
    'node_modules/vitest/vitest.mjs': `import { readFileSync } from 'node:fs';\nif (readFileSync('host/app.cjs', 'utf8').includes('failing test')) { console.log('1 failed'); process.exit(1); }\nconsole.log('all passed ' + process.argv.slice(2).join(' '));`,
    '.gitignore': 'node_modules\napp.pid\napp.sock\n',
  });
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
      cwd: root,
      encoding: 'utf8',
    });
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('commit', '-q', '-m', 'First');
  git('tag', 'deployed');
  return {
    root,
    git,
    write(path, text) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    },
  };
}
