import { dirname, join } from 'node:path';
import type { User } from '../../../core/platform/places.ts';
import type { WhyUnset } from '../../../core/secrets/why-unset.ts';
import type { JsonObject, ToolOutput } from '../../../api/result.ts';
import type { Sandbox } from '../../../api/sandbox.ts';
import type { Prepared, ToolCall } from '../../../api/tool.ts';
import { childEnvironment } from '../../../core/processes/environment.ts';
import { pegboard } from '../../../core/own-command.ts';
import { PegboardError } from '../../../core/errors.ts';
import { interpolate } from '../../../core/documents/interpolate.ts';
import { runProcess } from '../../../core/processes/process.ts';
import { describeSandbox } from '../../../core/sandbox/rule.ts';
import type { Confinement } from '../../../core/sandbox/boundary.ts';
import type { Redactor } from '../../../core/secrets/redact.ts';
import { credentialsIn } from '../../../core/secrets/credentials.ts';
import { learnReferenced } from '../../../core/secrets/learn-referenced.ts';
import { commandFailure, commandStopped } from './command-failure.ts';
import { toCommandOutput, type CommandOutput } from './command-output.ts';
import { reportProgress } from './command-progress.ts';
import type { LoadedCommand, RenderedCommand } from '../command/load.ts';
import { TemplateRefusal } from '../command/refusal.ts';
import { asSentence } from '../../../core/text/as-sentence.ts';

/** A command, as described by its manifest. */
export interface CommandSpec {
  readonly command: LoadedCommand;
  /** Absolute. */
  readonly cwd: string;
  /** Values may hold `${NAME}` and `${NAME:-default}`. */
  readonly environment: Readonly<Record<string, string>>;
  readonly output: CommandOutput;
  /** The folder of its space or plugin, which is visible in every sandbox. */
  readonly root: string;
}

export interface CommandContext {
  /** The value of a `${NAME}`, read only when the command runs. */
  readonly resolve: (name: string) => string | undefined;
  readonly user: Pick<User, 'env'>;
  /** Learns these values before the program starts. */
  readonly redactor: Redactor;
  readonly whyUnset?: WhyUnset | undefined;
}

/** Exactly what will run. Throws PEG_INVALID_ARGUMENTS for values that the command can't contain. */
export function prepareCommand(
  spec: CommandSpec,
  args: JsonObject,
  sandbox: Sandbox | undefined,
): Prepared<RenderedCommand> {
  const plan = render(spec.command, args);
  return {
    preview: plan.display,
    cwd: spec.cwd,
    confinement: sandbox ? describeSandbox(sandbox, ownWorkspace(spec.root, sandbox)) : 'not sandboxed',
    plan,
    ...(plan.confirm && { sensitive: 'A value of this command may run as a program.' }),
  };
}

function render(command: LoadedCommand, args: JsonObject): RenderedCommand {
  try {
    return command.render(args);
  } catch (cause) {
    if (!(cause instanceof TemplateRefusal)) throw cause;
    throw new PegboardError(
      'PEG_INVALID_ARGUMENTS',
      `The command can't run with these values. ${asSentence(cause.message)}`,
      {
        cause,
        data: { reason: cause.code },
      },
    );
  }
}

/** Runs what was prepared. A non-zero exit throws PEG_COMMAND_FAILED with the exit code and the end of the output. */
export async function runCommand(
  spec: CommandSpec,
  call: ToolCall<JsonObject, RenderedCommand>,
  context: CommandContext,
): Promise<ToolOutput> {
  const { argv, mode } = call.prepared?.plan ?? render(spec.command, call.args);
  const credential = call.credential?.();
  const environment = childEnvironment(context.user.env, {
    ...(credential && { [credential.name]: credential.value }),
    ...resolveEnvironment(spec, call.tool.id, context, credential?.name),
  });
  using progress = reportProgress(call, context.redactor);
  const result = await runProcess({
    argv,
    cwd: spec.cwd,
    environment,
    confinement: confinementOf(spec, call.sandbox),
    signal: call.signal,
    onOutput: progress.add,
  });
  if (result.leftovers > 0)
    call.log.debug('processes that the command left behind were ended', { count: result.leftovers });
  if (call.signal.aborted) throw commandStopped(call.tool.id, result, call.signal.reason, context.redactor);
  if (result.exitCode !== 0) {
    const confinement = call.sandbox && describeSandbox(call.sandbox, ownWorkspace(spec.root, call.sandbox));
    throw commandFailure(call.tool.id, mode, result, { redactor: context.redactor, confinement });
  }
  return toCommandOutput(call.tool.id, spec.output, result);
}

function confinementOf({ root, cwd }: CommandSpec, sandbox: Sandbox | undefined): Confinement | undefined {
  return sandbox && { sandbox, shown: [root, cwd], workspaces: ownWorkspace(root, sandbox) };
}

/** The workspace of the tool's space: the calling agent has another, or none. A plugin has no workspace. */
const ownWorkspace = (root: string, { knownFolders: places }: Sandbox): readonly string[] =>
  dirname(root) === join(places.home, 'spaces') ? [join(root, 'workspace')] : [];

/** Registers the values of `written` for redaction, so that they are never shown, wherever they come from. */
export function learnEnvironment(
  written: CommandSpec['environment'],
  { resolve, redactor }: Pick<CommandContext, 'resolve' | 'redactor'>,
): void {
  for (const [name, template] of Object.entries(written)) {
    const { text, used } = interpolate(template, resolve);
    for (const [variable, value] of used) learnReferenced(redactor, variable, value);
    for (const secret of credentialsIn(name, text)) redactor.add(name, secret);
  }
}

/** `given`: a variable that it has already. */
function resolveEnvironment(
  { command, environment: written }: CommandSpec,
  tool: string,
  { resolve, redactor, whyUnset }: CommandContext,
  given: string | undefined,
): Record<string, string> {
  const environment: Record<string, string> = {};
  const set = (name: string, template: string, where: string): void => {
    const { text, missing } = interpolate(template, resolve);
    const [first] = missing;
    if (first !== undefined)
      throw new PegboardError(
        'PEG_MISSING_VARIABLE',
        `${tool} needs the variable ${first} (${where}), and it is not set. ${whyUnset?.(first) ?? `Store it with \`${pegboard} secret set ${first}\`.`}`,
        { data: { variable: first } },
      );
    environment[name] = text;
  };
  const { required, optional } = command.variables;
  const isElsewhere = (name: string): boolean => name === given || Object.hasOwn(written, name);
  const resolvable = optional.filter((name) => resolve(name) !== undefined);
  const used = [...required, ...resolvable].filter((name) => !isElsewhere(name));
  const templates = { ...written, ...Object.fromEntries(used.map((name) => [name, `\${${name}}`])) };
  learnEnvironment(templates, { resolve, redactor });
  for (const name of used) set(name, templates[name]!, 'in its "command"');
  for (const [name, value] of Object.entries(written)) set(name, value, `for ${name} in its "environment"`);
  return environment;
}
