// Takes back an upgrade that failed or was interrupted. It needs nothing that an upgrade replaces: old CommonJS, no
// dependencies. `pegboard upgrade` copies it into its folder, so that `node .pegboard-upgrade/take-back.cjs` works too.
'use strict';
const fs = require('fs');
const path = require('path');
const { spawnSync } = require('child_process');

/** In the clone. It holds the journal, and the dependencies from before while others are installed. */
const folderName = '.pegboard-upgrade';
/** Of a home's data. In a database of the new version, the old one could not read. */
const dataFiles = ['pegboard.db', 'state.json', 'file-origins.json'];

exports.folderOf = function (root) {
  return path.join(root, folderName);
};

/** Undefined where no upgrade has begun. */
exports.readJournal = function (root) {
  try {
    return JSON.parse(fs.readFileSync(path.join(root, folderName, 'journal.json'), 'utf8'));
  } catch {
    return undefined;
  }
};

/** Whether the process of the journal still works on it. */
exports.isRunning = function (journal) {
  try {
    process.kill(journal.pid, 0);
  } catch (cause) {
    if (cause.code !== 'EPERM') return false;
  }
  return journal.start === undefined || startOf(journal.pid) === journal.start;
};

/** Tells a process from a later one with the same number. Undefined where the system doesn't say. */
exports.startOf = startOf;
function startOf(pid) {
  try {
    const stat = fs.readFileSync('/proc/' + pid + '/stat', 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}

/**
 * Brings back the dependencies, the files and the home's data from before the upgrade, and forgets it. Can be repeated
 * after an interruption. Throws when git can't; the journal then stays.
 */
exports.takeBack = function (root, journal) {
  const folder = path.join(root, folderName);
  const kept = path.join(folder, 'node_modules');
  const modules = path.join(root, 'node_modules');
  if (fs.existsSync(kept)) {
    fs.rmSync(modules, { recursive: true, force: true });
    fs.renameSync(kept, modules);
  }
  restoreFiles(root, journal);
  if (journal.booted) restoreData(journal);
  fs.rmSync(folder, { recursive: true, force: true });
};

/** A killed git leaves its lock, and files that are neither of the old nor of the new version. */
function restoreFiles(root, journal) {
  const git = function () {
    const args = ['-c', 'core.hooksPath=/dev/null'].concat(Array.from(arguments));
    return spawnSync('git', args, { cwd: root, encoding: 'utf8', timeout: 120000, maxBuffer: 1 << 28 });
  };
  const must = function (ended) {
    if (ended.status === 0) return String(ended.stdout).trim();
    throw new Error('git: ' + (ended.error ? ended.error.message : String(ended.stderr).trim()));
  };
  const lock = path.resolve(root, must(git('rev-parse', '--git-path', 'index.lock')));
  const wasKilled = fs.existsSync(lock);
  fs.rmSync(lock, { force: true });
  const changed = function () {
    return must(git('status', '--porcelain', '--untracked-files=no')) !== '';
  };
  const isHalf = must(git('rev-parse', 'HEAD')) === journal.from && (wasKilled || changed());
  // First to all of the new version, so that its new files are removed too.
  if (isHalf) must(git('reset', '-q', '--hard', journal.to));
  // Keeps what somebody changed meanwhile.
  if (isHalf || git('reset', '-q', '--keep', journal.from).status !== 0)
    must(git('reset', '-q', '--hard', journal.from));
}

/** Nothing is lost: the new version's database is kept beside the backups. */
function restoreData(journal) {
  const data = path.join(journal.home, 'data');
  dataFiles.forEach(function (name) {
    const to = path.join(data, name);
    const parts = name === 'pegboard.db' ? ['', '-wal', '-shm'] : [''];
    if (!fs.existsSync(to)) parts.splice(0);
    parts.forEach(function (part) {
      const aside = path.join(data, 'backups', 'not-upgraded-' + name + part);
      fs.rmSync(aside, { force: true });
      if (fs.existsSync(to + part)) fs.renameSync(to + part, aside);
    });
    const from = journal.backup && path.join(journal.backup, 'data', name);
    if (!from || !fs.existsSync(from)) return;
    fs.copyFileSync(from, to + '.restored');
    fs.chmodSync(to + '.restored', 0o600);
    fs.renameSync(to + '.restored', to);
  });
}

/** Called at every start where an upgrade has begun: takes back one whose process is gone. */
exports.atStart = function (root) {
  const journal = exports.readJournal(root);
  if (!journal || process.env.PEGBOARD_UPGRADE === String(journal.pid)) return;
  if (exports.isRunning(journal)) {
    process.stderr.write(
      'Pegboard is being upgraded (process ' + journal.pid + '). Try again when that is done.\n',
    );
    process.exit(1);
  }
  try {
    exports.takeBack(root, journal);
  } catch (cause) {
    process.stderr.write(
      'An upgrade of Pegboard was interrupted, and could not be undone: ' +
        cause.message +
        '\n' +
        'Fix that, then run "node ' +
        path.join(root, folderName, 'take-back.cjs') +
        '".\n',
    );
    process.exit(1);
  }
  process.stderr.write(
    'An upgrade of Pegboard was interrupted, and has been undone: Pegboard is at commit ' +
      journal.from.slice(0, 9) +
      ' again.\n',
  );
};

if (require.main === module) exports.atStart(path.join(__dirname, '..'));
