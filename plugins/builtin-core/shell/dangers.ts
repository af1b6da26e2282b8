import { basename } from 'node:path';
import type { Prepared } from 'pegboard';
import { fileTextsOf, type FileTexts } from 'pegboard/processes';
import { toArguments } from './arguments.ts';
import { parseShell, type ShellCommand, type ShellWord } from './commands.ts';
import { judgedFamilies, judges } from './danger-table.ts';
import { isDevice } from './sources.ts';

/** Judges the files that a script names. Called for every word that could be a path. */
export interface FileGuard {
  /** The reason to ask before the file is read, or undefined. */
  read(path: string): string | undefined;
  /** The reason to ask before the file is written, or undefined. */
  write(path: string): string | undefined;
  /** The same for the value of an option, which may be a file that a program writes: about those that decide what runs. */
  output(path: string): string | undefined;
  /** The reason to ask before a redirection writes it, also for a person's own command, or undefined. */
  redirected(path: string): string | undefined;
  /** Why the file tools may not use it, or undefined: it is outside their folders, or a rule denies it. */
  keptFrom(path: string): string | undefined;
  /** Whether it is the path of a folder. */
  isFolder(path: string): boolean;
  /** The same of a word of a command that runs in an absolute folder. */
  outOfReach: NonNullable<Prepared['outOfReach']>;
}

const shells = new Set(['sh', 'bash', 'dash', 'zsh', 'ksh', 'ash', 'fish']);
const interpreters = /^(python[\d.]*|node|perl|ruby|php|deno|bun|osascript|pwsh)$/;
/** Programs that run another program given in their arguments. */
const carriers =
  /^(env|nice|ionice|nohup|setsid|stdbuf|timeout|time|command|builtin|exec|xargs|parallel|watch|flock|chrt|taskset|busybox|toybox|unbuffer|caffeinate|strace|script|find|fd|ssh|docker|podman|kubectl|sudo|doas|su|entr|npx|chroot|unshare|nsenter|systemd-run|at|batch)$/;
/** Carriers that append words to the command. */
const adding = /^(xargs|parallel|find|fd)$/;
const writers =
  /^(cp|mv|mkdir|rmdir|ln|tee|install|rsync|rm|sed|touch|truncate|dd|chmod|chown|patch|unlink)$/;

const maxLength = 20_000;
const maxDepth = 6;
/** Words of a carrier's command line. Each is judged as a possible beginning of the carried command. */
const maxCarried = 500;
const unclear = 'it is too long, or too deeply nested, to be judged';
const unknown: ShellWord = { text: '', computed: true, open: true, glob: false };

/**
 * Returns the reasons to ask a person before a script runs, each once; empty when nothing in it is known to be
 * dangerous. It judges the text of the script, not what programs do: a guard against accidents and careless models, not
 * against malice.
 */
export function dangersOf(
  script: string,
  guard: Pick<FileGuard, 'read' | 'write' | 'output'>,
): readonly string[] {
  return new ScriptJudge(guard).reasonsIn(script);
}

/** Its value is the next word. */
const outputOption = /^(-o|--?out.*)$/;

/** Judges one script and collects the reasons. */
class ScriptJudge {
  readonly #guard: Pick<FileGuard, 'read' | 'write' | 'output'>;
  readonly #reasons = new Set<string>();
  /** Words already judged as the beginning of a command; nested carriers would visit them again and again. */
  readonly #judged = new Set<ShellWord>();

  constructor(guard: Pick<FileGuard, 'read' | 'write' | 'output'>) {
    this.#guard = guard;
  }

  reasonsIn(script: string): readonly string[] {
    this.#judgeScript(script, 0);
    return [...this.#reasons];
  }

  #judgeScript(text: string, depth: number): void {
    if (text.length > maxLength || depth > maxDepth) {
      this.#reasons.add(unclear);
      return;
    }
    const { commands, functions, errors } = parseShell(text);
    if (errors.length > 0)
      this.#reasons.add(`the shell may interpret it differently than it looks: ${errors[0]}`);
    for (const command of commands) {
      const name = command.words[0]?.text ?? '';
      if (functions.has(name) && command.pipedFrom === name)
        this.#reasons.add('it starts itself recursively');
      for (const { text: path, open } of command.writes) this.#judgeWrite(path, open);
      this.#judgeFiles(command.words);
      this.#judgeRun(command.words, command, depth);
    }
  }

  #judgeWrite(path: string, open: boolean): void {
    const toDevice = isDevice(path);
    if (toDevice && !/^\/dev\/(null$|stdout$|stderr$|tty$|fd\/)/.test(path))
      this.#reasons.add(`writes to the device ${path}`);
    const reason = open || toDevice ? undefined : this.#guard.write(path);
    if (reason !== undefined) this.#reasons.add(reason);
  }

  #judgeFiles(words: readonly ShellWord[]): void {
    const writes = writers.test(programOf(words[0]));
    const written = writes ? writtenBy(words) : undefined;
    for (const [index, { text, computed }] of words.entries()) {
      if (index === 0 || computed) continue;
      const value = text.replace(/^[^=]*=/, '');
      const isOutput = text.startsWith('-') ? value !== text : outputOption.test(words[index - 1]!.text);
      const changed = writes ? (written?.[index] ?? [text, value]) : [];
      for (const reason of [
        ...[text, value].map((path) => this.#guard.read(path)),
        ...changed.map((path) => this.#guard.write(path)),
        isOutput ? this.#guard.output(value) : undefined,
      ])
        if (reason !== undefined) this.#reasons.add(reason);
    }
  }

  #judgeRun(words: readonly ShellWord[], command: ShellCommand, depth: number): void {
    const [name, ...rest] = words;
    if (!name || this.#judged.has(name) || this.#reasons.has(unclear)) return;
    this.#judged.add(name);
    if (depth > maxDepth || (carriers.test(programOf(name)) && words.length > maxCarried)) {
      this.#reasons.add(unclear);
      return;
    }
    if (name.open || name.computed || name.glob) {
      this.#reasons.add('which program will run is computed');
      return;
    }
    const program = programOf(name);
    const args = toArguments(rest);
    const family = judgedFamilies.find(([pattern]) => pattern.test(program));
    const judge = Object.hasOwn(judges, program) ? judges[program] : family?.[1];
    const reason = judge?.(args);
    if (reason !== undefined) this.#reasons.add(reason);

    if (shells.has(program)) this.#judgeShell(rest, command, depth);
    else if (program === 'eval') this.#judgeText(rest, depth, 'eval runs text that is computed');
    else if (program === 'trap') this.#judgeText(rest.slice(0, 1), depth, 'trap runs text that is computed');
    else if ((program === 'source' || program === '.') && rest[0]?.computed) {
      this.#reasons.add('runs a script that is computed');
    } else if (interpreters.test(program) && command.input === 'pipe' && args.operands.length === 0) {
      this.#reasons.add(`${program} runs what another program prints`);
    }
    if (carriers.test(program)) this.#judgeCarried(program, rest, command, depth);
  }

  #judgeShell(words: readonly ShellWord[], { input }: ShellCommand, depth: number): void {
    const option = words.findIndex(({ text }) => /^-[a-z]*c[a-z]*$/i.test(text));
    if (option !== -1) {
      const program = words.slice(option + 1).find(({ text, open }) => open || !text.startsWith('-'));
      this.#judgeText(program ? [program] : [], depth, 'a shell runs text that is computed');
      return;
    }
    const scripts = words.filter(({ text, open }) => open || !text.startsWith('-'));
    if (scripts[0]?.computed) this.#reasons.add('a shell runs a script that is computed');
    if (scripts.length > 0 && !words.some(({ text }) => text === '-s')) return;
    if (typeof input === 'object') this.#judgeText([input.text], depth, 'a shell runs text that is computed');
    else if (input === 'pipe') this.#reasons.add('a shell runs what another program prints');
  }

  #judgeText(words: readonly ShellWord[], depth: number, reason: string): void {
    if (words.some(({ computed }) => computed)) this.#reasons.add(reason);
    this.#judgeScript(words.map(({ text }) => text).join(' '), depth + 1);
  }

  /** The carried command may begin at any of the arguments. */
  #judgeCarried(program: string, words: readonly ShellWord[], command: ShellCommand, depth: number): void {
    const added = adding.test(program) ? [unknown] : [];
    const begin = words.findIndex(({ text, open }) => open || !/^-|^\d|=/.test(text));
    if (begin !== -1 && words[begin]!.open && program !== 'find' && program !== 'fd') {
      this.#reasons.add('which program will run is computed');
    }
    for (const [index, word] of words.entries()) {
      if (word.computed || word.glob || word.text.startsWith('-')) continue;
      const end = words.findIndex(({ text }, at) => at > index && (text === ';' || text === '+'));
      this.#judgeRun([...words.slice(index, end === -1 ? undefined : end), ...added], command, depth + 1);
      if (/\s/.test(word.text)) this.#judgeScript(word.text, depth + 1);
    }
  }
}

/** For each word what may be a file that is written, where all arguments are known: of `sed -n 1,5p x` none. */
function writtenBy(words: readonly ShellWord[]): FileTexts | undefined {
  if (words.some(({ computed, glob }) => computed || glob)) return undefined;
  const texts = words.map(({ text }) => withoutRecursion(text));
  return fileTextsOf(texts, { onlyPrints: true }) ? texts.map(() => []) : fileTextsOf(texts);
}

/**
 * To do it with whole folders changes nothing about which words are files; rules don't cover it, so the table lacks it.
 */
function withoutRecursion(text: string): string {
  if (text === '--recursive') return '--force';
  return /^-[a-z]*[rR][a-z]*$/i.test(text) ? `-${text.slice(1).replaceAll(/[rR]/g, '') || 'f'}` : text;
}

const programOf = (word: ShellWord | undefined): string => basename(word?.text ?? '').toLowerCase();
