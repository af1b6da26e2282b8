import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { mkdir, stat } from 'node:fs/promises';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { PegboardError } from '../../../../core/errors.ts';
import type { Confined } from '../../../../core/sandbox/confine.ts';
import { childStdio } from '../../../../core/processes/child-stdio.ts';
import {
  createMarker,
  markerVariable,
  openProcessTree,
  type ProcessTree,
} from '../../../../core/processes/process-tree.ts';
import { hideEnvironment } from '../../../../core/processes/hide-environment.ts';
import { createRunMark } from '../../../../core/processes/run-mark.ts';
import { atProcessExit, isTreeAlive, leadsGroup } from '../../../../core/platform/processes.ts';
import { pathOf, spawnable } from '../../../../core/platform/programs.ts';
import { standardLimits, enforceTreeLimits } from '../../../../core/processes/tree-limits.ts';
import { limitsOf } from '../../../../core/sandbox/rule.ts';
import type { ResolvedServer } from '../../resolve.ts';

/** A running server and all processes that it started. */
export interface ServerProcess {
  readonly pid: number;
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  /** Closes its stdin, then sends SIGTERM, then SIGKILL. Resolves when none of its processes is left. */
  end(): Promise<void>;
}

/** Maximum time for a server to exit after its stdin is closed. */
const leaveMs = 150;
/** Time between SIGTERM and SIGKILL. */
const graceMs = 2_000;
/** How long other processes of a group may outlive its leader: `npx` ends before the process that it started. */
const followMs = 500;

const running = new Set<ProcessTree>();

/**
 * `exceeded` is called with the limit that was exceeded, before the process tree is killed. Throws
 * PEG_PROGRAM_NOT_FOUND, PEG_CONFIG or PEG_NO_SANDBOX.
 */
export async function startServer(
  name: string,
  server: ResolvedServer & { readonly kind: 'stdio' },
  exceeded: (what: string) => void,
): Promise<ServerProcess> {
  const { confinement } = server;
  if (confinement?.own !== undefined) await mkdir(confinement.own, { recursive: true, mode: 0o700 });
  const folder = await stat(server.cwd).catch(() => undefined);
  if (!folder?.isDirectory()) {
    throw new PegboardError('PEG_CONFIG', `MCP server "${name}": its cwd ${server.cwd} is not a folder.`);
  }
  const confined = await confineServer(name, server);
  const marker = createMarker();
  const environment: Record<string, string> = { ...server.env, [markerVariable]: marker };
  const plain = [server.command, ...server.args];
  const mark = confined ? undefined : createRunMark(plain, { path: environment['PATH'], cwd: server.cwd });
  const child = spawnServer(confined?.argv ?? mark?.argv ?? plain, {
    cwd: server.cwd,
    environment,
    confined,
  });
  const started = Promise.withResolvers<void>();
  child.once('spawn', started.resolve);
  child.once('error', (cause) => {
    confined?.ended();
    started.reject(startFailure(name, server.command, cause));
  });
  await started.promise;

  const pid = child.pid!;
  const tree = openProcessTree(pid, marker, { sparesLeader: confined?.goesLast ?? false, mark });
  killAtExit(tree);
  const limits = { ...standardLimits(), ...(confinement && limitsOf(confinement.sandbox)) };
  const exceed = (what: string): void => {
    exceeded(what);
    tree.signal('SIGKILL');
  };
  const watch = enforceTreeLimits(tree, limits, exceed, { stays: true });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const hasExited = (): boolean => child.exitCode !== null || child.signalCode !== null;

  const end = async (): Promise<void> => {
    child.stdin.end();
    if (!hasExited()) await Promise.race([exited, sleep(leaveMs)]);
    if (!hasExited()) {
      tree.signal('SIGTERM');
      await Promise.race([exited, sleep(graceMs)]);
    }
    if (hasExited()) await groupIsGone(pid);
    watch[Symbol.dispose]();
    tree.reap();
    running.delete(tree);
    confined?.ended();
  };
  return { pid, child, end };
}

async function confineServer(
  name: string,
  { command, args, cwd, confinement }: ResolvedServer & { readonly kind: 'stdio' },
): Promise<Confined | undefined> {
  if (!confinement) return undefined;
  const { confine } = await import('../../../../core/sandbox/confine.ts');
  return confine([command, ...args], { who: `MCP server "${name}"`, cwd, confinement });
}

function spawnServer(
  command: readonly string[],
  {
    cwd,
    environment,
    confined,
  }: {
    readonly cwd: string;
    readonly environment: Readonly<Record<string, string>>;
    readonly confined: Confined | undefined;
  },
): ChildProcessByStdio<Writable, Readable, Readable> {
  hideEnvironment();
  try {
    const { argv, verbatim } = spawnable(command, {
      ...pathOf(environment),
      shell: environment['ComSpec'],
    });
    const [program = '', ...args] = argv;
    return spawn(program, args, {
      cwd,
      env: environment,
      stdio: childStdio(['pipe', 'pipe', 'pipe', ...(confined?.descriptors ?? [])]),
      detached: leadsGroup(),
      windowsHide: true,
      windowsVerbatimArguments: verbatim,
    }) as ChildProcessByStdio<Writable, Readable, Readable>;
  } finally {
    confined?.started();
  }
}

async function groupIsGone(leader: number): Promise<void> {
  const until = performance.now() + followMs;
  while (isTreeAlive(leader) && performance.now() < until) await sleep(10);
}

let registered = false;

/** A server in its own process group would outlive a host that exits without closing it. */
function killAtExit(tree: ProcessTree): void {
  running.add(tree);
  if (registered) return;
  registered = true;
  atProcessExit(() => {
    for (const left of running) left.reap();
  });
}

function startFailure(name: string, command: string, cause: NodeJS.ErrnoException): PegboardError {
  // Of a name, the system says EACCES where PATH has a folder that this user may not read.
  const isMissing = cause.code === 'ENOENT' || (cause.code === 'EACCES' && !command.includes('/'));
  const message = isMissing
    ? `MCP server "${name}": there is no program "${command}". Install it, or give its full path as command.`
    : `MCP server "${name}": "${command}" could not be started (${cause.message}).`;
  return new PegboardError('PEG_PROGRAM_NOT_FOUND', message, { cause });
}
