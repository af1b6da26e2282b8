import { basename } from 'node:path';
import { toArguments } from './arguments.ts';
import { parseShell, type ShellCommand, type ShellWord } from './commands.ts';
import { judgedFamilies, judges } from './danger-table.ts';

/** Why a file matters, asked about every word that could be a path. */
export interface FileGuard {
  /** Reason not to show it without asking. */
  read(path: string): string | undefined;
  /** Reason not to change it without asking. */
  write(path: string): string | undefined;
  /** Does it lie in the folders of the file tools? */
  isInside(path: string): boolean;
}

const shells = new Set(['sh', 'bash', 'dash', 'zsh', 'ksh', 'ash', 'fish']);
const interpreters = /^(python[\d.]*|node|perl|ruby|php|deno|bun|osascript|pwsh)$/;
/** Programs that run another one, named somewhere among their arguments. */
const carriers =
  /^(env|nice|ionice|nohup|setsid|stdbuf|timeout|time|command|builtin|exec|xargs|parallel|watch|flock|chrt|taskset|busybox|toybox|unbuffer|caffeinate|strace|script|find|fd|ssh|docker|podman|kubectl|sudo|doas|su|entr|npx|chroot|unshare|nsenter|systemd-run|at|batch)$/;
/** Carriers that add words of their own to the command. */
const adding = /^(xargs|parallel|find|fd)$/;
const writers = /^(cp|mv|ln|tee|install|rsync|rm|sed|touch|truncate|dd|chmod|chown|patch|unlink)$/;

const maxLength = 20_000;
const maxDepth = 6;
/** Words of a command that carries another: each of them is looked at as that one's beginning. */
const maxCarried = 500;
const unclear = 'it is too long, or too deeply nested, to be judged';
const unknown: ShellWord = { text: '', computed: true, open: true, glob: false };

/**
 * Reasons to ask a person before a script runs, each once; none when nothing in it is known to be dangerous. It reads
 * what the script says, not what programs do: a guard against accidents and careless models, not against malice.
 */
export function dangersOf(script: string, guard: Pick<FileGuard, 'read' | 'write'>): readonly string[] {
  const reasons = new Set<string>();
  /** Words that were looked at as the beginning of a command: carriers in a row would visit them over and over. */
  const judged = new Set<ShellWord>();
  judgeScript(script, 0);
  return [...reasons];

  function judgeScript(text: string, depth: number): void {
    if (text.length > maxLength || depth > maxDepth) {
      reasons.add(unclear);
      return;
    }
    const { commands, functions, errors } = parseShell(text);
    if (errors.length > 0) reasons.add(`the shell may read it otherwise than it looks: ${errors[0]}`);
    for (const command of commands) {
      const name = command.words[0]?.text ?? '';
      if (functions.has(name) && command.pipedFrom === name) reasons.add('it starts itself over and over');
      for (const { text: path, open } of command.writes) judgeWrite(path, open);
      judgeFiles(command.words);
      judgeRun(command.words, command, depth);
    }
  }

  function judgeWrite(path: string, open: boolean): void {
    const isDevice = path.startsWith('/dev/');
    if (isDevice && !/^\/dev\/(null$|stdout$|stderr$|tty$|fd\/)/.test(path))
      reasons.add(`writes to the device ${path}`);
    const reason = open || isDevice ? undefined : guard.write(path);
    if (reason !== undefined) reasons.add(reason);
  }

  function judgeFiles(words: readonly ShellWord[]): void {
    const writes = writers.test(programOf(words[0]));
    for (const { text, computed } of words.slice(1)) {
      for (const path of computed ? [] : [text, text.replace(/^[^=]*=/, '')]) {
        const reason = guard.read(path) ?? (writes ? guard.write(path) : undefined);
        if (reason !== undefined) reasons.add(reason);
      }
    }
  }

  function judgeRun(words: readonly ShellWord[], command: ShellCommand, depth: number): void {
    const [name, ...rest] = words;
    if (!name || judged.has(name) || reasons.has(unclear)) return;
    judged.add(name);
    if (depth > maxDepth || (carriers.test(programOf(name)) && words.length > maxCarried)) {
      reasons.add(unclear);
      return;
    }
    if (name.open || name.computed || name.glob) {
      reasons.add('which program will run is computed');
      return;
    }
    const program = programOf(name);
    const args = toArguments(rest);
    const family = judgedFamilies.find(([pattern]) => pattern.test(program));
    const judge = Object.hasOwn(judges, program) ? judges[program] : family?.[1];
    const reason = judge?.(args);
    if (reason !== undefined) reasons.add(reason);

    if (shells.has(program)) judgeShell(rest, command, depth);
    else if (program === 'eval') judgeText(rest, depth, 'eval runs text that is computed');
    else if (program === 'trap') judgeText(rest.slice(0, 1), depth, 'trap runs text that is computed');
    else if ((program === 'source' || program === '.') && rest[0]?.computed) {
      reasons.add('runs a script that is computed');
    } else if (interpreters.test(program) && command.input === 'pipe' && args.operands.length === 0) {
      reasons.add(`${program} runs what another program prints`);
    }
    if (carriers.test(program)) judgeCarried(program, rest, command, depth);
  }

  function judgeShell(words: readonly ShellWord[], { input }: ShellCommand, depth: number): void {
    const option = words.findIndex(({ text }) => /^-[a-z]*c[a-z]*$/i.test(text));
    if (option !== -1) {
      const program = words.slice(option + 1).find(({ text, open }) => open || !text.startsWith('-'));
      judgeText(program ? [program] : [], depth, 'a shell runs text that is computed');
      return;
    }
    const scripts = words.filter(({ text, open }) => open || !text.startsWith('-'));
    if (scripts[0]?.computed) reasons.add('a shell runs a script that is computed');
    if (scripts.length > 0 && !words.some(({ text }) => text === '-s')) return;
    if (typeof input === 'object') judgeText([input.text], depth, 'a shell runs text that is computed');
    else if (input === 'pipe') reasons.add('a shell runs what another program prints');
  }

  function judgeText(words: readonly ShellWord[], depth: number, reason: string): void {
    if (words.some(({ computed }) => computed)) reasons.add(reason);
    judgeScript(words.map(({ text }) => text).join(' '), depth + 1);
  }

  /** Any of the arguments may be where the carried command begins. */
  function judgeCarried(
    program: string,
    words: readonly ShellWord[],
    command: ShellCommand,
    depth: number,
  ): void {
    const added = adding.test(program) ? [unknown] : [];
    const begin = words.findIndex(({ text, open }) => open || !/^-|^\d|=/.test(text));
    if (begin !== -1 && words[begin]!.open && program !== 'find' && program !== 'fd') {
      reasons.add('which program will run is computed');
    }
    for (const [index, word] of words.entries()) {
      if (word.computed || word.glob || word.text.startsWith('-')) continue;
      const end = words.findIndex(({ text }, at) => at > index && (text === ';' || text === '+'));
      judgeRun([...words.slice(index, end === -1 ? undefined : end), ...added], command, depth + 1);
      if (/\s/.test(word.text)) judgeScript(word.text, depth + 1);
    }
  }
}

const programOf = (word: ShellWord | undefined): string => basename(word?.text ?? '').toLowerCase();
