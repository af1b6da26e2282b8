import { join } from 'node:path';
import {
  markUntrusted,
  PegboardError,
  defineTool,
  type ChangedFiles,
  type FileOrigins,
  type Origin,
  type Prepared,
  type Sandbox,
  type StructuredResult,
  type StructureOf,
  type Tool,
  type ToolCall,
} from 'pegboard';
import { realPathOf } from 'pegboard/files';
import {
  bashProgram,
  requireSandbox,
  childEnvironment,
  describeSandbox,
  runProcess,
  writableFoldersOf,
  type ProcessResult,
} from 'pegboard/processes';
import type { Surroundings } from 'pegboard';
import type { CoreConfig } from '../config.ts';
import type { FileAccess } from '../filesystem/access/file-access.ts';
import { explainFileErrors } from '../filesystem/file-error.ts';
import { missing } from '../filesystem/files.ts';
import { recordChanges } from '../filesystem/record-changes.ts';
import { notAFolder } from '../filesystem/access/descent.ts';
import { openPath } from '../filesystem/access/open-path.ts';
import type { FileGuard } from './dangers.ts';
import { guardFrom } from './file-guard.ts';

const defaultTimeoutSeconds = 30;
/** Seconds: one day. */
const maxTimeoutSeconds = 86_400;
/** Seconds to end a command that timed out and to collect its output. */
const endingSeconds = 5;

interface ShellPlan {
  readonly cwd: string;
  readonly timeout: number;
}

const commandParameters = {
  type: 'object',
  additionalProperties: false,
  required: ['command'],
  properties: {
    command: {
      type: 'string',
      minLength: 1,
      description: 'What bash runs; pipes, && and redirects work.',
    },
    cwd: {
      type: 'string',
      minLength: 1,
      description: 'Folder to start in. Default: the project or home.',
    },
    timeout: {
      type: 'number',
      exclusiveMinimum: 0,
      maximum: maxTimeoutSeconds,
      description: `Seconds. Default ${defaultTimeoutSeconds}.`,
    },
  },
} as const;

const commandOutput = {
  type: 'object',
  required: ['exitCode', 'signal', 'stdout', 'stderr'],
  properties: {
    exitCode: { type: ['integer', 'null'], description: 'null when a signal ended it.' },
    signal: { type: ['string', 'null'] },
    stdout: { type: 'string' },
    stderr: { type: 'string' },
    timedOut: { type: 'boolean' },
    truncated: { type: 'boolean' },
  },
} as const;

export function createBash(
  { roots, origins, surroundings, knownFoldersFor }: FileAccess,
  settings: CoreConfig['bash'],
): Tool {
  const folders = roots.all.map(({ real }) => real);
  const own = roots.own.map(({ real }) => real);
  return defineTool({
    name: 'bash',
    title: 'Run shell command',
    description:
      'Runs a command in bash and returns its stdout and stderr. It starts in cwd with a closed standard input and is ended, with all that it started, after timeout seconds. For files prefer read, write, edit, glob and grep.',
    category: 'shell',
    tags: ['shell', 'command', 'terminal', 'run', 'execute', 'script', 'sh'],
    annotations: {
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: true,
    },
    timeout: defaultTimeoutSeconds,
    tracksOrigins: true,
    recordsChanges: true,
    confirm: settings.confirm === 'always',
    permission: { kind: 'command', argument: 'command' },
    parameters: commandParameters,
    outputSchema: commandOutput,
    examples: [
      { input: { command: 'git log --oneline -5' } },
      { input: { command: 'npm test', cwd: 'spaces/example', timeout: 300 } },
    ],
    prepare: ({ command, cwd = '.', timeout = defaultTimeoutSeconds }, caller) =>
      explainFileErrors(cwd, async () => {
        if (command.includes('\0')) {
          throw new PegboardError(
            'PEG_INVALID_ARGUMENTS',
            "The command contains a NUL byte, which shells don't support.",
          );
        }
        const { sandbox } = caller;
        if (sandbox) await requireSandbox('bash', sandbox);
        using folder = openPath(roots, cwd);
        if (!folder.stats) throw missing(folder);
        if (!folder.stats.isDirectory()) throw notAFolder(folder.path);
        // The parser of bash's grammar is loaded only when there is something to parse.
        const folders = await knownFoldersFor(caller.scope, caller.workplace);
        const guard = guardFrom(roots, folder.path, { folders, caller });
        const questions = await questionsAbout(command, guard, settings, sandbox !== undefined);
        const plan: ShellPlan = { cwd: folder.path, timeout };
        return {
          preview: command,
          cwd: folder.path,
          confinement: sandbox ? describeSandbox(sandbox) : 'not sandboxed',
          ...questions,
          outOfReach: guard.outOfReach,
          timeout: timeout + endingSeconds,
          plan,
        };
      }),
    async execute({ command }, call) {
      const { prepared, signal, sandbox, turn } = call;
      const { cwd, timeout }: ShellPlan = prepared!.plan!;
      const began = Date.now();
      const run = (): Promise<ProcessResult> =>
        runBash(command, { ...prepared!.plan!, env: surroundings.env }, call, folders);
      const findOrigin = await originOf(command, { cwd, sandbox, origins, own });
      // It may move away what it reads, or read what it brings.
      const before = findOrigin();
      // Whole folders are looked at before and after, which only turns are worth.
      const result = turn
        ? await recordChanges(call, await changedBy(call, cwd, knownFoldersFor), run)
        : await run();
      const read = before ?? findOrigin();
      const from = read ?? turn?.untrusted.origins.at(-1);
      if (from) await origins.noteWritten({ command, cwd }, began, from);
      signal.throwIfAborted();
      const shown = toToolResult(result, timeout, sandbox && describeSandbox(sandbox));
      return read ? markUntrusted(shown, read) : shown;
    },
  });
}

const runBash = (
  command: string,
  { cwd, timeout, env }: ShellPlan & Pick<Surroundings, 'env'>,
  { signal, sandbox }: ToolCall,
  shown: readonly string[],
): Promise<ProcessResult> =>
  runProcess({
    argv: [bashProgram(), '--noprofile', '--norc', '-c', '--', command],
    cwd,
    environment: childEnvironment(env),
    confinement: sandbox && { sandbox, shown },
    signal,
    timeoutMs: timeout * 1000,
  });

/** The folders that a command may change, as far as they are known. */
async function changedBy(
  { sandbox, scope, workplace }: ToolCall,
  cwd: string,
  knownFoldersFor: FileAccess['knownFoldersFor'],
): Promise<ChangedFiles> {
  if (sandbox) return { paths: writableFoldersOf(sandbox).map(realPathOf) };
  return { paths: [cwd, ...(await knownFoldersFor(scope, workplace)).workspaces], elsewhere: true };
}

interface SourceOptions {
  readonly cwd: string;
  readonly sandbox: Sandbox | undefined;
  readonly origins: FileOrigins;
  /** Folders whose files the owner writes, or trusts. */
  readonly own: readonly string[];
}

/** What finds the origin of a command's output as things are then, if others may have written it. */
async function originOf(
  command: string,
  { cwd, sandbox, origins, own }: SourceOptions,
): Promise<() => Origin | undefined> {
  const { sourcesOf } = await import('./sources.ts');
  const { fetches, reads, words } = sourcesOf(command);
  if (fetches !== undefined && sandbox?.network !== false) return () => ({ kind: 'network', what: fetches });
  // A file that is only written to is not among the words that may be read.
  const named = words ? { command: words.join(' '), words, cwd } : { command, cwd };
  return () => {
    const byName = origins.readBy(named, reads === 'named' ? 'not read' : 'whole', own);
    if (byName || reads === 'named') return byName;
    return origins.within(cwd, own) ?? (reads === 'tree' ? origins.of(join(cwd, 'data')) : undefined);
  };
}

/**
 * Why this command needs confirmation. A rule of the owner spares the question about any command, and the one about an
 * unknown command, but not the one about a dangerous command. An approval of one command doesn't cover the next one, so the
 * question describes this exact call.
 */
async function questionsAbout(
  command: string,
  guard: FileGuard,
  { confirm }: CoreConfig['bash'],
  sandboxed: boolean,
): Promise<Pick<Prepared, 'sensitive' | 'confirm' | 'isFree'>> {
  const { dangersOf } = await import('./dangers.ts');
  const dangers = dangersOf(command, guard);
  if (dangers.length > 0) return { sensitive: toQuestion(dangers.join('; ')) };
  if (confirm !== 'unknown')
    return confirm === 'always' || !sandboxed ? { confirm: 'Run this shell command?' } : {};
  const { isFreeCommand, unknownIn } = await import('./free-commands.ts');
  const unknown = unknownIn(command, guard);
  if (unknown === undefined) return {};
  return { confirm: toQuestion(unknown), isFree: (words) => isFreeCommand(words, guard) };
}

const toQuestion = (reason: string): string => `This command needs confirmation: ${reason}`;

type CommandOutput = StructureOf<typeof commandOutput>;

/** A command that fails is a failed result with the same structure. */
function toToolResult(
  result: ProcessResult,
  timeout: number,
  confinement: string | undefined,
): StructuredResult<CommandOutput> {
  const { stdout, stderr, exitCode, signal, ended, omitted } = result;
  const structured = {
    exitCode,
    signal,
    stdout,
    stderr,
    ...(ended === 'timeout' && { timedOut: true }),
    ...(omitted.stdout + omitted.stderr > 0 && { truncated: true }),
  };
  const output = [
    ...(stdout === '' ? [] : [{ type: 'text', text: stdout } as const]),
    ...(stderr === '' ? [] : [{ type: 'text', text: `[stderr]\n${stderr}` } as const]),
  ];
  if (ended === 'exit' && exitCode === 0) {
    return { content: output.length > 0 ? output : [{ type: 'text', text: '[no output]' }], structured };
  }
  let outcome =
    ended === 'timeout'
      ? `did not end within ${timeout} s and was stopped; a longer "timeout" can be given`
      : signal === null
        ? `ended with exit code ${exitCode}`
        : `was ended by ${signal}`;
  // A failed write or name lookup may be due to the sandbox.
  if (confinement !== undefined) outcome += `; it ran ${confinement}`;
  const message = `The command ${outcome}.`;
  return {
    content: [{ type: 'text', text: message }, ...output],
    structured,
    error: {
      code: ended === 'timeout' ? 'PEG_TIMEOUT' : 'PEG_COMMAND_FAILED',
      stage: 'execute',
      message,
      data: { exitCode, signal },
    },
  };
}
