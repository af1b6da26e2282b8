// Runs before `npm start` and `npm test`, on whatever Node the system has: old CommonJS, no dependencies.
// Installs the dependencies when node_modules is missing or older than the lock file, showing npm's progress.
'use strict';
const fs = require('fs');
const path = require('path');
const { spawnSync } = require('child_process');

const root = path.join(__dirname, '..');
const installed = modified(path.join(root, 'node_modules', '.package-lock.json'));
const wanted = modified(path.join(root, 'package-lock.json'));
// Through a link, npm would empty the folder of whoever it belongs to.
if (!isLink(path.join(root, 'node_modules')) && (installed === undefined || installed < wanted)) install();

function isLink(file) {
  try {
    return fs.lstatSync(file).isSymbolicLink();
  } catch {
    return false;
  }
}

function modified(file) {
  try {
    return fs.statSync(file).mtimeMs;
  } catch {
    return undefined;
  }
}

function install() {
  process.stderr.write('Installing dependencies (once, about 20 s) ...\n');
  const npm = process.env.npm_execpath;
  const args = ['ci', '--loglevel=error', '--progress=true', '--prefer-offline'];
  const result = npm
    ? spawnSync(process.execPath, [npm].concat(args), { cwd: root, stdio: ['ignore', 2, 2] })
    : spawnSync('npm', args, { cwd: root, stdio: ['ignore', 2, 2], shell: process.platform === 'win32' });
  if (result.status !== 0) {
    process.stderr.write(
      'The dependencies could not be installed: see npm\'s message above, then run "npm ci".\n',
    );
    process.exit(1);
  }
}
