import { pegboard } from '../../../core/own-command.ts';
import { newPlugin } from '../../../plugins/scaffold.ts';
import { newSpace, newTool } from '../../../sources/manifests/files/scaffold.ts';
import { newAgent, newSkill } from '../../../spaces/scaffold.ts';
import type { Context, CommandHandler } from '../../command.ts';
import { shortPath } from '../../../status/diagnostic-json.ts';

export const runNewTool: CommandHandler = async (context) => {
  const [name = ''] = context.words;
  const space = context.options.value('space');
  showCreated(await newTool(context.home, name, { space }), context, [
    ['It works already:  ', `${pegboard} call ${space === undefined ? '' : `${space}.`}${name}`],
  ]);
};

export const runNewPlugin: CommandHandler = async (context) => {
  const [name = ''] = context.words;
  showCreated(await newPlugin(context.home, name), context, [
    ['Try it:     ', `${pegboard} approvals allow ${name} && ${pegboard} call ${name}.greet name=Ada`],
    ['Test it:    ', `${pegboard} test-plugin ${name}`],
    ['Change it:  ', `${pegboard} dev`, ' reloads it on every save'],
  ]);
};

export const runNewAgent: CommandHandler = async (context) => {
  const [name = ''] = context.words;
  const { path, id } = await newAgent(context.home, name, { space: context.options.value('space') });
  showCreated(path, context, [['Try it:  ', `${pegboard} tools --agent ${id}`]]);
};

export const runNewSkill: CommandHandler = async (context) => {
  const [name = ''] = context.words;
  const path = await newSkill(context.home, name, { space: context.options.value('space') });
  showCreated(path, context, [['Read it as a model does:  ', `${pegboard} call use_skill name=${name}`]]);
};

export const runNewSpace: CommandHandler = async (context) => {
  const [name = ''] = context.words;
  showCreated(await newSpace(context.home, name), context, [
    ['It has a first tool:  ', `${pegboard} tools ${name}`],
  ]);
};

/** The path that was created, and commands to continue with. */
function showCreated(
  path: string,
  { terminal: { out }, surroundings }: Context,
  hints: readonly (readonly [label: string, command: string, effect?: string])[],
): void {
  out.line(`${out.style.good('+')} ${shortPath(path, surroundings.cwd())}`);
  for (const [label, command, effect = ''] of hints) out.line(`${label}${out.style.name(command)}${effect}`);
}
