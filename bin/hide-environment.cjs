// Takes what this process was started with out of /proc/PID/environ, where every program of the same user can read it.
// Old CommonJS without dependencies: the entry point needs it on any Node.
'use strict';
const fs = require('fs');
const path = require('path');

/** What children get in any case (PEG_RUN: by which a Pegboard around this one finds its own). */
const shown =
  /^(PATH|HOME|USER|LOGNAME|SHELL|TERM|LANG|LANGUAGE|LC_[A-Z]+|TZ|TMPDIR|PWD|DISPLAY|WAYLAND_DISPLAY|XDG_[A-Z_]+|PEG_RUN)$/;

/**
 * Overwrites the variables where the system has put them, and keeps their values for this process and its children.
 * Returns false where that is not possible: without /proc, or in a thread of its own, which has a copy of them.
 */
module.exports = function hideEnvironment() {
  if (hideEnvironment.isHidden !== undefined) return hideEnvironment.isHidden;
  return (hideEnvironment.isHidden = process.platform === 'linux' && isMainThread() && overwrite());
};

/** Node's module for it takes milliseconds to load. */
function isMainThread() {
  try {
    return path.basename(fs.readlinkSync('/proc/thread-self')) === String(process.pid);
  } catch {
    return false;
  }
}

function overwrite() {
  try {
    const stat = fs.readFileSync('/proc/self/stat', 'latin1');
    // The name before it stands in brackets and may hold anything (proc(5): env_start, env_end).
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const start = Number(fields[47]);
    const block = fs.readFileSync('/proc/self/environ');
    if (!(start > 0) || block.length !== Number(fields[48]) - start) return false;
    for (let at = 0; at < block.length;) {
      const end = endOfEntry(block, at);
      const name = block.toString('utf8', at, end).split('=', 1)[0];
      if (!shown.test(name)) {
        // Set anew, it lies elsewhere.
        const value = process.env[name];
        if (value !== undefined) process.env[name] = value;
        block.fill(0, at, end);
      }
      at = end + 1;
    }
    const memory = fs.openSync('/proc/self/mem', 'r+');
    try {
      return fs.writeSync(memory, block, 0, block.length, start) === block.length;
    } finally {
      fs.closeSync(memory);
    }
  } catch {
    return false;
  }
}

function endOfEntry(block, at) {
  const end = block.indexOf(0, at);
  return end < 0 ? block.length : end;
}
