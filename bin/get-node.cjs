// Gets the Node that an installed package needs where the system's is too old and npm has left out pegboard-runtime: once,
// for this user, into their data folder: services and MCP clients name its path, and people empty caches. Old CommonJS.
'use strict';
const fs = require('fs');
const os = require('os');
const path = require('path');
const { spawnSync } = require('child_process');
const ownNode = require('./own-node.cjs');

/** Versions and hashes of the packages with Node; only a built package has them. */
const packagesFile = path.join(__dirname, 'node-packages.json');

/** The path of the program. Undefined where there is none for this machine, or it can't be installed: then stderr says why. */
exports.get = function () {
  if (!fs.existsSync(packagesFile)) return undefined;
  const wanted = JSON.parse(fs.readFileSync(packagesFile, 'utf8'))[ownNode.packageName];
  if (!wanted) return undefined;
  const folder = path.join(dataFolder(), 'node-' + wanted.version);
  const program = ownNode.programIn(path.join(folder, 'node_modules'));
  if (!fs.existsSync(program)) install(wanted, folder);
  return fs.existsSync(program) ? program : undefined;
};

function install(wanted, folder) {
  process.stderr.write(
    `Pegboard runs on Node ${ownNode.oldest} or newer, and this is ${process.version}. Installing Node ${wanted.version} for Pegboard alone (once, about 60 MB to download) in ${folder} ...\n`,
  );
  let work;
  try {
    fs.mkdirSync(path.dirname(folder), { recursive: true });
    work = fs.mkdtempSync(folder + '-');
  } catch (cause) {
    process.stderr.write(
      `It can't be installed there: ${cause.message}. Name another folder in XDG_DATA_HOME, or install Node ${ownNode.oldest} or newer yourself.\n`,
    );
    return;
  }
  try {
    write(work, wanted);
    const npm = npmOfThisNode();
    const result = spawnSync(
      npm.command,
      npm.args.concat(['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']),
      { cwd: work, stdio: ['ignore', 2, 2], env: outsideOfNpm(process.env), shell: npm.shell },
    );
    if (result.status !== 0) return;
    // Of several that start at once, the first keeps its folder.
    if (!fs.existsSync(folder)) fs.renameSync(work, folder);
  } catch (cause) {
    process.stderr.write(cause.message + '\n');
  } finally {
    fs.rmSync(work, { recursive: true, force: true });
  }
}

/** A project whose lock file has the hash, so that npm refuses any other content. */
function write(folder, wanted) {
  const dependencies = { [ownNode.packageName]: wanted.version };
  const packages = { '': { dependencies }, ['node_modules/' + ownNode.packageName]: wanted };
  const files = {
    'package.json': { private: true, dependencies },
    'package-lock.json': { lockfileVersion: 3, requires: true, packages },
  };
  for (const name of Object.keys(files))
    fs.writeFileSync(path.join(folder, name), JSON.stringify(files[name]));
}

function dataFolder() {
  const given = process.env.XDG_DATA_HOME || '';
  if (path.isAbsolute(given)) return path.join(given, 'pegboard');
  if (process.platform === 'win32')
    return path.join(process.env.LOCALAPPDATA || path.join(os.homedir(), 'AppData/Local'), 'pegboard');
  const folder = process.platform === 'darwin' ? 'Library/Application Support' : '.local/share';
  return path.join(os.homedir(), folder, 'pegboard');
}

/** A program that starts Pegboard may have a PATH without npm. */
function npmOfThisNode() {
  const folder = path.dirname(process.execPath);
  const script = [
    path.join(folder, '../lib/node_modules/npm/bin/npm-cli.js'),
    path.join(folder, 'node_modules/npm/bin/npm-cli.js'),
  ].filter(fs.existsSync)[0];
  return script
    ? { command: process.execPath, args: [script], shell: false }
    : { command: 'npm', args: [], shell: process.platform === 'win32' };
}

/** Under npx, npm's own settings name another project. */
function outsideOfNpm(env) {
  const kept = Object.keys(env).filter(
    (name) => !/^npm_/i.test(name) || /^npm_config_(?:registry|cache|.*proxy|.*:_auth.*)$/i.test(name),
  );
  return Object.fromEntries(kept.map((name) => [name, env[name]]));
}
