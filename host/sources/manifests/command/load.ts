import type { MaybePromise } from '../../../api/result.ts';
import { bashProgram } from '../../../core/platform/shells.ts';
import { evaluate, type Arguments } from './evaluate.ts';
import { lex, type Lexed } from './lex/lex.ts';
import { parseTemplate } from './template/parse.ts';
import { checkPolicy } from './policy/policy.ts';
import { inTemplate, positionOf, refuse, type Position } from './refusal.ts';
import { sampleArguments, sampleRuns } from './template/samples.ts';
import {
  isInert,
  parametersIn,
  type CommandParameter,
  type Parameters,
  type TemplateNode,
} from './template/template.ts';
import { checkLength } from './template/value-text.ts';
import { variablesOf, type CommandVariables } from './variables.ts';

/** Without profile or startup files. Nothing after it can be read as an option. */
const bash = [bashProgram(), '--noprofile', '--norc', '-c', '--'] as const;

/** Runs without a shell, or through bash. */
export type CommandMode = 'argv' | 'shell';

export interface LoadedCommand {
  readonly mode: CommandMode;
  /** The syntax that makes a shell necessary: '"|"'. */
  readonly shellSyntax: string | undefined;
  /** A value may be program text (`unsafe: true`), so a person must confirm every run. */
  readonly confirm: boolean;
  readonly warnings: readonly CommandWarning[];
  readonly variables: CommandVariables;
  /** Declared parameters that the template doesn't name. */
  readonly unused: readonly string[];
  /** Exactly what will run. Throws TemplateRefusal for values that the command can't contain. */
  render(args: Arguments): RenderedCommand;
}

export interface CommandWarning extends Position {
  readonly code: 'unquoted-substitution';
  readonly message: string;
}

export interface RenderedCommand {
  readonly mode: CommandMode;
  readonly argv: readonly string[];
  /** The same in shell quoting, with hidden characters written out. */
  readonly display: string;
  readonly confirm: boolean;
}

/**
 * Turns a template into a command, and checks everything that can be checked without values. Values reach the program
 * byte for byte: they are bound to references, never pasted into text that a shell reads. Throws TemplateRefusal, or
 * rejects with it: a promise is returned only when Handlebars' own parser is needed.
 */
export function loadCommand(
  template: string,
  declared: readonly CommandParameter[],
): MaybePromise<LoadedCommand> {
  const parameters: Parameters = new Map(declared.map((parameter) => [parameter.name, parameter]));
  const text = template.trim();
  const start = template.length - template.trimStart().length;
  const load = (nodes: readonly TemplateNode[]): LoadedCommand =>
    inTemplate(template, start, () => check(template, start, nodes, parameters));
  if (text === '') return inTemplate(template, 0, () => refuse('empty-command', empty));
  const parsed = inTemplate(template, start, () => parseTemplate(text, parameters));
  if (!(parsed instanceof Promise)) return load(parsed);
  return parsed.then(load, (cause: unknown) =>
    inTemplate(template, start, () => {
      throw cause;
    }),
  );
}

const empty = 'the command is empty; write a program and its arguments';

/** Walks every branch of every block at least once with sample values. */
function check(
  template: string,
  start: number,
  nodes: readonly TemplateNode[],
  parameters: Parameters,
): LoadedCommand {
  const args = sampleArguments(parameters);
  const warnings = new Map<string, CommandWarning>();
  let shellSyntax: string | undefined;
  let confirm = false;
  const runs: Lexed[] = [];
  sampleRuns(nodes).forEach((forced, run) => {
    const lexed = lex(evaluate(nodes, parameters, args, forced));
    checkPolicy(lexed, 'load');
    runs.push(lexed);
    if (run === 0 && lexed.commands.length === 0) refuse('empty-command', empty);
    shellSyntax ??= lexed.shellSyntax;
    confirm ||= lexed.bound.some(({ parameter }) => parameter.unsafe === true && !isInert(parameter));
    for (const { name, parameter, at } of lexed.split) {
      if (isInert(parameter)) continue;
      warnings.set(`${name} ${at}`, {
        code: 'unquoted-substitution',
        message: `{{${name}}} passes through an unquoted $( ), so the shell splits and globs its output; write "$( … )"`,
        ...positionOf(template, start + at),
      });
    }
  });
  const named = parametersIn(nodes);
  const mode = shellSyntax === undefined ? 'argv' : 'shell';
  const render = (real: Arguments): RenderedCommand => {
    const lexed = lex(evaluate(nodes, parameters, real));
    checkPolicy(lexed, 'render');
    const argv = mode === 'argv' ? plainProgram(lexed) : shellProgram(lexed.script, lexed.values);
    for (const argument of argv) checkLength(argument, 'the command', 0);
    return { mode, argv, display: lexed.display, confirm };
  };
  return {
    mode,
    shellSyntax,
    confirm,
    warnings: [...warnings.values()],
    variables: variablesOf(runs),
    unused: [...parameters.keys()].filter((name) => !named.has(name)),
    render: (real) => inTemplate(template, start, () => render(real)),
  };
}

/** The one program of a command without shell syntax, with quotes removed and values in place. */
function plainProgram(lexed: Lexed): string[] {
  const [command] = lexed.commands;
  if (!command || lexed.commands.length > 1 || lexed.shellSyntax !== undefined)
    return refuse('shell-needed', `with these values, the command uses ${lexed.shellSyntax ?? 'no program'}`);
  return command.words.map(({ pieces }) =>
    pieces.map((piece) => (piece.kind === 'literal' ? piece.text : (piece.texts?.[0] ?? ''))).join(''),
  );
}

/**
 * The invocation of bash that runs `script` with `values` as `_peg1`, `_peg2` …. They are passed as arguments, so no
 * byte of them is ever read as shell text. The script itself sees no arguments.
 */
function shellProgram(script: string, values: readonly string[]): string[] {
  const assignments = values.map((_, k) => `_peg${k + 1}="\${${k + 1}}"`).join(' ');
  return [...bash, `${assignments}${values.length > 0 ? ';' : ''}set --\n${script}`, 'pegboard', ...values];
}
