// Another Node on the PATH that is new enough, for when the one that comes first there is too old. Old CommonJS.
'use strict';
const fs = require('fs');
const path = require('path');
const { spawnSync } = require('child_process');
const { oldest } = require('./own-node.cjs');

const program = process.platform === 'win32' ? 'node.exe' : 'node';

/** The path of the program; undefined where there is none. */
exports.find = function () {
  const tried = [realPath(process.execPath)];
  return (process.env.PATH || '')
    .split(path.delimiter)
    .filter(path.isAbsolute)
    .map((folder) => path.join(folder, program))
    .find(function (candidate) {
      const real = realPath(candidate);
      if (real === undefined || tried.includes(real)) return false;
      tried.push(real);
      return majorOf(candidate) >= oldest;
    });
};

function realPath(file) {
  try {
    return fs.realpathSync(file);
  } catch {
    return undefined;
  }
}

/** NaN for what isn't Node, or doesn't answer. */
function majorOf(file) {
  const { stdout } = spawnSync(file, ['--version'], { encoding: 'utf8', timeout: 5000 });
  return Number((/^v(\d+)\.\d+\.\d+\s*$/.exec(stdout || '') || [])[1]);
}
