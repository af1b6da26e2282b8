import { join, resolve } from 'node:path';
import type { Sandbox, SandboxRule } from '../../api/sandbox.ts';
import type { WrittenSandbox } from '../../formats/sandbox.ts';
import { matchesTool } from '../text/glob.ts';
import { isWithin } from '../files/paths.ts';

const megabyteBytes = 1_048_576;

/** `base` is the folder of relative paths, `userHome` that of those with a tilde. */
export function toSandboxRule(
  written: WrittenSandbox | undefined,
  base: string,
  userHome: string,
): SandboxRule | undefined {
  if (written === undefined) return undefined;
  const {
    level,
    network = false,
    write = [],
    read = [],
    memory,
    processes,
  }: Exclude<WrittenSandbox, string> = typeof written === 'string' ? { level: written } : written;
  const absolute = (path: string): string => {
    const inHome = path === '~' || path.startsWith('~/');
    return inHome ? join(userHome, path.slice(1)) : resolve(base, path);
  };
  return {
    level,
    network,
    write: write.map(absolute),
    read: read.map(absolute),
    ...(memory !== undefined && { memory: memory * megabyteBytes }),
    ...(processes !== undefined && { processes }),
  };
}

/** The combination of all rules for a tool. Undefined if none restricts it. */
export function strictest(
  rules: readonly (SandboxRule | undefined)[],
  tool: { readonly id: string; readonly name: string },
): Omit<Sandbox, 'knownFolders'> | undefined {
  const holding = rules.filter((rule): rule is SandboxRule => rule !== undefined && rule.level !== 'off');
  if (holding.length === 0) return undefined;
  return {
    level: holding.some(({ level }) => level === 'strict') ? 'strict' : 'workspace',
    network: holding.every(({ network }) =>
      typeof network === 'boolean' ? network : matchesTool(network, tool),
    ),
    rules: holding,
  };
}

/** Folders that the caller may write to at level `workspace`. `more`: the workspaces of a tool's own space. */
export const freeFolders = ({ knownFolders }: Sandbox, more: readonly string[] = []): readonly string[] => [
  ...new Set([...knownFolders.workspaces, ...more]),
  ...knownFolders.roots.filter(({ write }) => write === 'free').map(({ path }) => path),
];

/** The folders that all rules allow a program to write to. `free`: the folders that need no confirmation. */
export function writableFolders(
  { rules }: Pick<Sandbox, 'rules'>,
  free: readonly string[],
): readonly string[] {
  return rules.map(({ level, write }) => (level === 'strict' ? write : [...free, ...write])).reduce(common);
}

/** The folders that a program in the sandbox may write to. `more`: the workspaces of a tool's own space. */
export const writableFoldersOf = (sandbox: Sandbox, more: readonly string[] = []): readonly string[] =>
  writableFolders(sandbox, freeFolders(sandbox, more));

/** The folders that are visible besides the system and the workspace under `strict`: those that all strict rules name. */
export function readableFolders({ level, rules }: Pick<Sandbox, 'level' | 'rules'>): readonly string[] {
  if (level === 'workspace') return rules.flatMap(({ read }) => read);
  const [first = [], ...others] = rules.filter((rule) => rule.level === 'strict').map(({ read }) => read);
  return others.reduce(common, first);
}

/** The lowest limits of the rules. */
export function limitsOf({ rules }: Pick<Sandbox, 'rules'>): {
  readonly memory?: number;
  readonly processes?: number;
} {
  const minOf = (values: readonly (number | undefined)[]): number | undefined => {
    const set = values.filter((value) => value !== undefined);
    return set.length > 0 ? Math.min(...set) : undefined;
  };
  const memory = minOf(rules.map((rule) => rule.memory));
  const processes = minOf(rules.map((rule) => rule.processes));
  return { ...(memory !== undefined && { memory }), ...(processes !== undefined && { processes }) };
}

/** For questions and errors: "sandboxed: no network, writes in /a". */
export function describeSandbox(sandbox: Sandbox, more: readonly string[] = []): string {
  const writable = writableFoldersOf(sandbox, more);
  const sees = sandbox.level === 'strict' ? ', sees only the system and its workspace' : '';
  const writes = writable.length > 0 ? `writes only in ${writable.join(', ')}` : 'writes nowhere';
  return `sandboxed (${sandbox.level}): ${sandbox.network ? 'network' : 'no network'}, ${writes}${sees}`;
}

/** Paths that are within a path of each list. */
function common(some: readonly string[], others: readonly string[]): readonly string[] {
  const within = (path: string, folders: readonly string[]): boolean =>
    folders.some((folder) => isWithin(folder, path));
  const both = [
    ...some.filter((path) => within(path, others)),
    ...others.filter((path) => within(path, some)),
  ];
  return [...new Set(both)];
}
