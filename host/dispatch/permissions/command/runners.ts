import * as programs from '../../../core/programs/known-programs.ts';
import { runners } from '../../../core/programs/known-runners.ts';

/** Of programs in the commands of manifests. */
const known = { ...programs, runners };

const shells = 'ash bash busybox csh dash fish ksh mksh pwsh powershell sh tcsh toybox zsh cmd';
const interpreters =
  'awk bc dc gmake m4 make sed gawk mawk nawk bun clj deno ed elixir emacs erl ex expect gdb ghci groovy guile irb java jshell julia lldb lua luajit node nodejs nvim octave osascript perl php psql pypy python r racket rscript ruby scala sqlite sqlplus swift tclsh ts-node tsx vi vim view wish';
const wrappers =
  'at batch less man more rsync scp sftp tar zip bunx bwrap caffeinate chpst chroot chrt command builtin cpulimit crontab dbus-run-session direnv doas dotenv entr env exec faketime fakeroot fd fdfind find firejail flatpak-spawn flock gtimeout hyperfine ionice launchctl ltrace nice nohup npx nsenter numactl parallel perf pipx pkexec pnpx prlimit proot proxychains rlwrap rsh run-parts runcon runuser screen script setarch setpriv setsid setuidgid ssh sshpass start-stop-daemon stdbuf strace su sudo systemd-run taskset time timeout tmux torsocks tsocks unbuffer unshare uvx valgrind wasmtime watch watchexec wine wsl xargs xvfb-run';
/** All that are part of bash. What they do may be done to the commands after them. */
const builtins =
  '. : [ alias bg bind break builtin caller cd command compgen complete compopt continue coproc declare dirs disown echo enable eval exec exit export false fc fg getopts hash help history jobs kill let local logout mapfile popd printf pushd pwd read readarray readonly return set shift shopt source suspend test times trap true type typeset ulimit umask unalias unset wait';
/** Those that only print, compare or send a signal. */
const freeBuiltins = ': [ echo false kill printf pwd test true type';

const namesIn = (...lists: readonly string[]): Set<string> => new Set(lists.join(' ').split(' '));
const names = namesIn(shells, interpreters, wrappers, builtins).difference(namesIn(freeBuiltins));

/** The name of a program without its folder, version and ending: "python" of /usr/bin/python3.12. */
export const bareName = (program: string): string =>
  program
    .replace(/^.*[/\\]/, '')
    .toLowerCase()
    .replace(/\.exe$/, '')
    .replace(/(?<=[a-z])[\d.]+$/, '');

/**
 * Whether the arguments of this program are a program themselves, or change what later commands do. A pattern with a
 * wildcard would then allow anything.
 */
export function runsItsArguments(program: string): boolean {
  const name = bareName(program);
  return (
    names.has(name) ||
    [known.evaluators, known.runners].some((pattern) => pattern.test(name)) ||
    // `go test` builds and tests; only its `run` takes a program.
    (known.interpreters.test(name) && !known.interpretersWithSubcommand.test(name)) ||
    Object.hasOwn(known.wrappers, name)
  );
}

const readers = namesIn(shells, interpreters);

/** Whether it runs the program that its arguments name, as `env` and `nice` do: to a shell, they name a script. */
export const runsProgram = (program: string): boolean =>
  runsItsArguments(program) && !readers.has(bareName(program));

/** `printf -v NAME`, `test -v NAME`: sets or reads a variable, and runs what stands in a subscript of its name. */
export const namesVariable = ([program = '', ...words]: readonly string[]): boolean =>
  known.variableTesters.programs.test(program) &&
  words.some((word) => known.variableTesters.option.test(word));

/** Programs that never run what is in their arguments. */
const harmless = new Set(
  'base64 basename cat cd chgrp chmod chown cksum cmp column comm cp cut date df diff dirname du echo egrep exit expand false fgrep file fmt fold git grep head hexdump id join jq ls man md5sum mkdir mv nl od paste printf ps pwd realpath return rev rm rmdir seq sha1sum sha256sum shift sleep sort stat strings tac tail test touch tr true type ulimit umask uname uniq wc which whoami ['.split(
    ' ',
  ),
);
/** Options with which they do. */
const running: { readonly [program: string]: RegExp } = { man: /^-/, sort: /^--co/ };
const gitCommands = new Set(
  'add blame branch checkout commit diff init log merge mv reset restore rm show stash status switch tag'.split(
    ' ',
  ),
);

/** Whether the words are certain not to hold another program that is run. */
export function runsNothingElse(words: readonly string[]): boolean {
  const [program = '', first = ''] = words;
  const name = bareName(program);
  if (!harmless.has(name) || namesVariable(words)) return false;
  return name === 'git' ? gitCommands.has(first) : !words.some((word) => running[name]?.test(word));
}
