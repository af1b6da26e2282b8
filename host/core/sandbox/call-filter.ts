import { openSync, unlinkSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { draftName } from '../files/draft.ts';

/** Linux's system call numbers, and seccomp's name of the architecture. A missing call doesn't exist there. */
interface Machine {
  readonly audit: number;
  readonly calls: { readonly [name: string]: number };
}

const onAll = {
  open_tree: 428,
  move_mount: 429,
  fsopen: 430,
  fsmount: 432,
  mount_setattr: 442,
  io_uring_setup: 425,
  io_uring_enter: 426,
  io_uring_register: 427,
  clone3: 435,
  openat2: 437,
  fchmodat2: 452,
};
// prettier-ignore
const machines: { readonly [arch: string]: Machine } = {
  x64: {
    audit: 0xc000003e,
    calls: {
      ...onAll, open: 2, ioctl: 16, socket: 41, clone: 56, creat: 85, chmod: 90, fchmod: 91, mknod: 133, pivot_root: 155,
      mount: 165, umount2: 166, add_key: 248, request_key: 249, keyctl: 250, openat: 257, mknodat: 259, fchmodat: 268,
      unshare: 272, perf_event_open: 298, setns: 308, bpf: 321, userfaultfd: 323,
    },
  },
  arm64: {
    audit: 0xc00000b7,
    calls: {
      ...onAll, ioctl: 29, mknodat: 33, umount2: 39, mount: 40, pivot_root: 41, fchmod: 52, fchmodat: 53, openat: 56,
      unshare: 97, socket: 198, add_key: 217, request_key: 218, keyctl: 219, clone: 220, perf_event_open: 241, setns: 268,
      bpf: 280, userfaultfd: 282,
    },
  },
};

const notPermitted = 1;
const accessDenied = 13;
/** ENOSYS: programs then use an older call, whose arguments a filter can check. */
const unknownCall = 38;

/** A condition on one argument, by its low 32 bits. */
type Condition = { readonly argument: number } & (
  | { readonly hasAny: number }
  | { readonly is: number }
  | { readonly isNoneOf: readonly number[] }
);
interface Rule {
  readonly calls: readonly string[];
  /** All conditions must hold. */
  readonly when?: readonly Condition[];
  readonly error: number;
}

const setIdBits = 0o6000;
const creates = 0o100 | 0o20000000;
const newUserNamespace = 0x10000000;
const family = { unix: 1, inet: 2, inet6: 10, netlink: 16 };

/**
 * What a namespace doesn't take from a program: keyrings of the session, typing into a terminal, setuid files, nested
 * namespaces, and sockets of other programs, which are files or independent of the network.
 */
const rulesFor = (network: boolean): readonly Rule[] => [
  {
    calls: ['io_uring_setup', 'io_uring_enter', 'io_uring_register', 'clone3', 'openat2'],
    error: unknownCall,
  },
  {
    calls: ['keyctl', 'add_key', 'request_key', 'bpf', 'perf_event_open', 'userfaultfd'],
    error: notPermitted,
  },
  {
    calls: ['mount', 'umount2', 'pivot_root', 'setns', 'open_tree', 'move_mount', 'fsopen', 'fsmount'],
    error: notPermitted,
  },
  { calls: ['mount_setattr'], error: notPermitted },
  { calls: ['unshare', 'clone'], when: [{ argument: 0, hasAny: newUserNamespace }], error: notPermitted },
  // TIOCSTI and TIOCLINUX.
  ...[0x5412, 0x541c].map((is) => ({ calls: ['ioctl'], when: [{ argument: 1, is }], error: notPermitted })),
  {
    calls: ['chmod', 'fchmod', 'creat', 'mknod'],
    when: [{ argument: 1, hasAny: setIdBits }],
    error: notPermitted,
  },
  {
    calls: ['fchmodat', 'fchmodat2', 'mknodat'],
    when: [{ argument: 2, hasAny: setIdBits }],
    error: notPermitted,
  },
  ...['open', 'openat'].map((call, at) => ({
    calls: [call],
    when: [
      { argument: at + 1, hasAny: creates },
      { argument: at + 2, hasAny: setIdBits },
    ],
    error: notPermitted,
  })),
  {
    calls: ['socket'],
    when: [
      {
        argument: 0,
        isNoneOf: [family.inet, family.inet6, family.netlink, ...(network ? [family.unix] : [])],
      },
    ],
    error: accessDenied,
  },
];

/** The filter for bubblewrap: a classic BPF program. Undefined for an unknown architecture. */
function callFilter(network: boolean, arch: string = process.arch): Buffer | undefined {
  const machine = machines[arch];
  if (!machine) return undefined;
  const isX32 = 0x40000000;
  return Buffer.concat([
    load(4),
    jumpIf('equal', machine.audit, 1, 0),
    deny(unknownCall),
    load(0),
    ...(arch === 'x64' ? [jumpIf('atLeast', isX32, 0, 1), deny(unknownCall)] : []),
    ...rulesFor(network).flatMap((rule) =>
      rule.calls.flatMap((name) => machine.calls[name] ?? []).map((call) => compile(call, rule)),
    ),
    allow,
  ]);
}

interface Test {
  readonly kind: keyof typeof jumps;
  readonly value: number;
  /** The result of the test with which the rule doesn't apply. */
  readonly leavesWhen: boolean;
}

/** If a condition fails, execution jumps past the denial. */
function compile(call: number, { when = [], error }: Rule): Buffer {
  const tests = when.flatMap((condition) => [load(16 + 8 * condition.argument), ...testsOf(condition)]);
  const body = [...tests, deny(error)];
  const placed = body.map((step, at) => {
    if (Buffer.isBuffer(step)) return step;
    const rest = body.length - at - 1;
    return jumpIf(step.kind, step.value, step.leavesWhen ? rest : 0, step.leavesWhen ? 0 : rest);
  });
  return Buffer.concat([load(0), jumpIf('equal', call, 0, placed.length), ...placed]);
}

function testsOf(condition: Condition): readonly Test[] {
  if ('is' in condition) return [{ kind: 'equal', value: condition.is, leavesWhen: false }];
  if ('hasAny' in condition) return [{ kind: 'hasAny', value: condition.hasAny, leavesWhen: false }];
  return condition.isNoneOf.map((value) => ({ kind: 'equal', value, leavesWhen: true }));
}

const jumps = { equal: 0x15, atLeast: 0x35, hasAny: 0x45 } as const;

const load = (offset: number): Buffer => instruction(0x20, 0, 0, offset);
const jumpIf = (kind: keyof typeof jumps, value: number, yes: number, no: number): Buffer =>
  instruction(jumps[kind], yes, no, value);
const deny = (error: number): Buffer => instruction(0x06, 0, 0, 0x00050000 | error);
const allow = instruction(0x06, 0, 0, 0x7fff0000);

/** struct sock_filter: code, jump if true, jump if false, value. */
function instruction(code: number, yes: number, no: number, value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(code, 0);
  bytes.writeUInt8(yes, 2);
  bytes.writeUInt8(no, 3);
  bytes.writeUInt32LE(value, 4);
  return bytes;
}

const kept = new Map<boolean, number | undefined>();

/** A descriptor of an unlinked file with the filter. The caller closes it. */
export function openCallFilter(network: boolean): number | undefined {
  if (!kept.has(network)) kept.set(network, keep(callFilter(network)));
  const file = kept.get(network);
  return file === undefined ? undefined : openSync(`/proc/self/fd/${file}`, 'r');
}

function keep(program: Buffer | undefined): number | undefined {
  if (!program) return undefined;
  const path = join(tmpdir(), draftName());
  const file = openSync(path, 'wx+', 0o600);
  unlinkSync(path);
  writeSync(file, program);
  return file;
}
