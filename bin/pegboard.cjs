#!/usr/bin/env node
// The entry point: runs on any Node. Old CommonJS, so that an old Node can say what is missing instead of a syntax error.
'use strict';
const path = require('path');
const hideEnvironment = require('./hide-environment.cjs');
const ownNode = require('./own-node.cjs');

const oldest = ownNode.oldest;
const root = path.join(__dirname, '..');

/** Set by the process that restarted this one on its own Node: the number of a pipe that closes when that process ends. */
const parentPipe = process.env.PEGBOARD_PARENT_PIPE;
delete process.env.PEGBOARD_PARENT_PIPE;

hideEnvironment();
endWhereNothingIsFound();
if (require('fs').existsSync(path.join(root, '.pegboard-upgrade', 'journal.json')))
  require('./take-back.cjs').atStart(root);
if (parentPipe) endWithParent(Number(parentPipe));
if (parseInt(process.versions.node, 10) >= oldest) start();
else restart();

/**
 * Nothing can be found from a folder that was deleted, and every later failure would hide why. One whose name is not UTF-8
 * has another name for Node, which is that of no folder, or of another one.
 */
function endWhereNothingIsFound() {
  let folder;
  try {
    folder = process.cwd();
  } catch (cause) {
    if (cause.code !== 'ENOENT') throw cause;
    end('The current folder has been deleted: go to another one.');
  }
  if (folder.includes('\ufffd') && !isCurrent(folder))
    end('The name of the current folder is not UTF-8 (' + folder + '): rename it, or go to another one.');
}

function isCurrent(folder) {
  const fs = require('fs');
  if (!fs.existsSync(folder)) return false;
  const [named, current] = [fs.statSync(folder), fs.statSync('.')];
  return named.ino === current.ino && named.dev === current.dev;
}

function end(message) {
  process.stderr.write(message + '\n');
  process.exit(2);
}

function start() {
  // What serves runs for weeks beside everything else. It begins with 2 MB for new objects, not the usual 32, and has
  // more when it is busy (host/core/young-generation.ts); V8 collects all of its memory when that has doubled, not quadrupled.
  if (/^(serve|start|dev)$/m.test(process.argv.slice(2).join('\n'))) {
    require('v8').setFlagsFromString('--semi-space-growth-factor=1');
    require('v8').setFlagsFromString('--heap-growing-percent=100');
  }
  // What dependencies do in an old way is nothing that a user could change.
  process.noDeprecation = true;
  require('module').enableCompileCache();
  import('../host/main.ts').catch(function (cause) {
    process.stderr.write(
      cause.code === 'ERR_MODULE_NOT_FOUND'
        ? 'Pegboard: dependencies are missing: run "npm ci" in ' + root + '\n(' + cause.message + ')\n'
        : String(cause.stack) + '\n',
    );
    process.exit(1);
  });
}

/** Node is too old: npm has installed another one (tools/runtime), the PATH has one, or a package gets it now. */
function restart() {
  const newer = ownNode.find() || require('./node-on-path.cjs').find() || require('./get-node.cjs').get();
  if (!newer) {
    const isClone = require('fs').existsSync(path.join(root, 'package-lock.json'));
    const way = isClone ? 'Run "npm ci" in ' + root + ', which brings one, or install' : 'Install';
    process.stderr.write(
      `Pegboard needs Node ${oldest} or newer; this is ${process.version}. ${way} Node ${oldest} or newer.\n`,
    );
    process.exit(1);
  }
  const child = require('child_process').spawn(newer, [__filename].concat(process.argv.slice(2)), {
    stdio: ['inherit', 'inherit', 'inherit', 'pipe'],
    env: Object.assign({}, process.env, { PEGBOARD_PARENT_PIPE: '3' }),
  });
  child.stdio[3].on('error', function () {});
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'].concat(process.platform === 'win32' ? ['SIGBREAK'] : []);
  signals.forEach(function (signal) {
    process.on(signal, function () {
      child.kill(signal);
    });
  });
  child.on('exit', function (code, signal) {
    if (signal) {
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
    } else process.exit(code);
  });
}

/** The parent can't pass on SIGKILL: this process ends when the parent is gone. */
function endWithParent(pipe) {
  const line = new (require('net').Socket)({ fd: pipe });
  line.on('error', function () {});
  line.on('close', function () {
    process.kill(process.pid, 'SIGTERM');
  });
  line.resume();
  line.unref();
}
