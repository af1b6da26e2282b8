// Runs before `npm start` and `npm test`, on whatever Node the system has: old CommonJS, no dependencies.
// Installs the dependencies, showing npm's progress, when node_modules is missing, is older than the lock file, or lacks
// the Node that this system needs. `setup.cjs run` installs what running Pegboard needs, otherwise also what tests and
// tools need. What is there already stays.
'use strict';
const fs = require('fs');
const path = require('path');
const { spawnSync } = require('child_process');
const ownNode = require('../bin/own-node.cjs');

const root = path.join(__dirname, '..');
const lock = path.join(root, 'package-lock.json');
const installedLock = path.join(root, 'node_modules', '.package-lock.json');
const wantsAll = process.argv[2] !== 'run';
const hasAll = hasDevDependencies();
// Through a link, npm would empty the folder that the link points to.
if (!isLink(path.join(root, 'node_modules'))) {
  if (isStale() || lacksNode()) install(wantsAll || hasAll ? ['ci', '--include=dev'] : ['ci', '--omit=dev']);
  // `npm ci` would remove first what a running host still loads from.
  else if (wantsAll && !hasAll) install(['install', '--no-save', '--include=dev']);
}

function isLink(file) {
  try {
    return fs.lstatSync(file).isSymbolicLink();
  } catch {
    return false;
  }
}

function isStale() {
  const installed = modified(installedLock);
  return installed === undefined || installed < modified(lock);
}

function modified(file) {
  try {
    return fs.statSync(file).mtimeMs;
  } catch {
    return undefined;
  }
}

function hasDevDependencies() {
  return Object.keys(require('../package.json').devDependencies || {}).every(function (name) {
    return fs.existsSync(path.join(root, 'node_modules', name, 'package.json'));
  });
}

/** npm leaves the clone's own Node out, and removes it, whenever it runs on a Node that is new enough itself. */
function lacksNode() {
  if (parseInt(process.versions.node, 10) >= ownNode.oldest || ownNode.find()) return false;
  return ownNode.packageName in require('./runtime/package.json').optionalDependencies;
}

function install(command) {
  process.stderr.write('Installing dependencies (once, half a minute or so) ...\n');
  const npm = systemNpm();
  const args = command.concat(['--loglevel=error', '--progress=true', '--prefer-offline']);
  const result = spawnSync(npm.command, npm.args.concat(args), {
    cwd: root,
    stdio: ['ignore', 2, 2],
    env: withoutPackages(process.env),
    shell: npm.shell,
  });
  if (result.status !== 0) {
    process.stderr.write(
      'The dependencies could not be installed: see npm\'s message above, then run "npm ci".\n',
    );
    process.exit(1);
  }
  // A lock file of a clock that is ahead would be installed at every start.
  if (isStale()) fs.utimesSync(installedLock, modified(lock) / 1000, modified(lock) / 1000);
}

/**
 * npm on the system's Node. In a script of npm the clone's own Node comes first in the PATH: it runs this file, and npm
 * too if a script called it.
 */
function systemNpm() {
  const { npm_execpath: cli, npm_node_execpath: node } = process.env;
  return cli && node && !isInPackage(node)
    ? { command: node, args: [cli], shell: false }
    : { command: 'npm', args: [], shell: process.platform === 'win32' };
}

function withoutPackages(env) {
  const name = Object.keys(env).find((key) => key.toUpperCase() === 'PATH') || 'PATH';
  const folders = (env[name] || '').split(path.delimiter).filter((folder) => !isInPackage(folder));
  return Object.assign({}, env, { [name]: folders.join(path.delimiter) });
}

function isInPackage(file) {
  return file.split(/[\\/]/).includes('node_modules');
}
