import type { ShellArguments } from './arguments.ts';
import { gitDanger } from './git-danger.ts';

/** Why running a program with these arguments needs confirmation, or undefined. */
export type Judge = (args: ShellArguments) => string | undefined;

const always =
  (reason: string): Judge =>
  () =>
    reason;
const first = ({ operands }: ShellArguments, ...names: readonly string[]): boolean =>
  names.includes(operands[0]?.text ?? '');
const second = ({ operands }: ShellArguments, ...names: readonly string[]): boolean =>
  names.includes(operands[1]?.text ?? '');

const disk = always('writes to disks directly');
const machine = always('stops or restarts the machine');
const rights = always('runs with other rights');
const kills = always('ends processes by name');
const mode: Judge = (args) =>
  args.has('-R', '--recursive') || args.computed ? 'changes rights of everything in a folder' : undefined;
const publishes: Judge = (args) =>
  first(args, 'publish', 'unpublish', 'push', 'deprecate', 'yank') ? 'publishes to a registry' : undefined;
const containers: Judge = (args) => {
  if (first(args, 'rm', 'rmi', 'kill') || second(args, 'prune', 'rm', 'remove'))
    return 'removes containers, images or volumes';
  return args.has('--volumes') || (first(args, 'compose') && second(args, 'down') && args.has('-v'))
    ? 'removes volumes'
    : undefined;
};
const sql: Judge = ({ words }) =>
  words.some(({ text }) => /\b(drop|truncate|delete\s+from|alter)\b/i.test(text))
    ? 'changes or deletes data'
    : undefined;

/** An agent must not answer its own questions or grant trust. */
const decides: Judge = (args) =>
  args.has('-y', '--yes') || args.words.some(({ text }) => deciding.has(text))
    ? 'makes decisions in Pegboard that are yours'
    : undefined;
const deciding = new Set(['approvals', 'approve', 'trust', 'pair', 'secret', 'restore', 'dashboard']);

/** By program name, in lower case and without a folder. */
export const judges: { readonly [program: string]: Judge } = {
  rm: (args) => {
    if (args.has('-r', '-R', '--recursive')) return 'rm -r deletes folders with all that is in them';
    if (args.computed) return 'rm deletes files whose names are computed';
    return args.operands.some(({ glob }) => glob) ? 'rm deletes all files that match a pattern' : undefined;
  },
  git: gitDanger,
  find: (args) =>
    args.words.some(({ text }) => text === '-delete') ? 'find -delete deletes what it finds' : undefined,
  rsync: (args) => (args.has('--delete', '--remove-source-files') ? 'rsync deletes files' : undefined),
  chmod: mode,
  chown: mode,
  chgrp: mode,
  shred: always('destroys files for good'),
  truncate: always('cuts files off'),
  dd: disk,
  fdisk: disk,
  parted: disk,
  sfdisk: disk,
  wipefs: disk,
  mkswap: disk,
  diskutil: disk,
  sudo: rights,
  doas: rights,
  su: rights,
  pkexec: rights,
  shutdown: machine,
  reboot: machine,
  halt: machine,
  poweroff: machine,
  killall: kills,
  pkill: kills,
  kill: (args) =>
    args.words.some(({ text }, index) => index > 0 && /^-\d+$/.test(text))
      ? 'ends whole groups of processes'
      : undefined,
  systemctl: (args) =>
    first(args, 'stop', 'disable', 'mask', 'kill', 'poweroff', 'reboot', 'halt', 'isolate')
      ? 'stops services of the machine'
      : undefined,
  crontab: (args) => (args.has('-l') && !args.has('-r') ? undefined : 'changes what runs on a schedule'),
  docker: containers,
  podman: containers,
  kubectl: (args) => (first(args, 'delete', 'drain') ? 'deletes from a cluster' : undefined),
  helm: (args) => (first(args, 'uninstall', 'delete') ? 'deletes from a cluster' : undefined),
  terraform: (args) => (first(args, 'destroy', 'apply') ? 'changes infrastructure' : undefined),
  tofu: (args) => (first(args, 'destroy', 'apply') ? 'changes infrastructure' : undefined),
  gh: (args) => (second(args, 'delete', 'archive') ? 'deletes on GitHub' : undefined),
  npm: publishes,
  pnpm: publishes,
  yarn: publishes,
  cargo: publishes,
  gem: publishes,
  pegboard: decides,
  'pegboard.cjs': decides,
  twine: (args) => (first(args, 'upload') ? 'publishes to a registry' : undefined),
  psql: sql,
  mysql: sql,
  mariadb: sql,
  sqlite3: sql,
  'redis-cli': ({ words }) =>
    words.some(({ text }) => /^flush(all|db)$/i.test(text)) ? 'deletes a database' : undefined,
};

/** By a pattern for program names. */
export const judgedFamilies: readonly (readonly [RegExp, Judge])[] = [[/^mkfs(\.|$)/, disk]];
