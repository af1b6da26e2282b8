import { resolve } from 'node:path';
import { PegboardError, type CommandCall, type PluginContext, type Scope } from 'pegboard';
import { isVisible, metaSource } from 'pegboard/kit';
import { openScriptFile } from './script-files.ts';
import { scriptModule } from './script-module.ts';

type Context = Pick<PluginContext, 'registry' | 'use' | 'surroundings'>;

/** `pegboard run FILE.ts [key=value…]` */
export async function run(call: CommandCall, context: Context): Promise<number> {
  const { terminal } = call;
  if (!terminal) throw new PegboardError('PEG_USAGE', 'A file is run on the command line.');
  const [name = '', ...words] = call.words;
  await using script = await openScriptFile(resolve(context.surroundings.cwd(), name), context);
  const { tool, isAdded } = script;
  const { scope } = terminal;
  return await terminal.callTool(tool, words, isAdded ? withScripts(context, scope) : scope);
}

/** With the module of scripts that are no tools of the home. Throws PEG_TOOL_UNAVAILABLE for an agent that may not run scripts. */
function withScripts({ registry }: Context, scope: Scope): Scope {
  const runner = registry.snapshot.find(`${metaSource}.run_script`)!;
  if (!isVisible(runner, scope))
    throw new PegboardError(
      'PEG_TOOL_UNAVAILABLE',
      `The agent ${scope.agent} may not run scripts: runtime.scripts is off in its file, or ${runner.id} is blocked.`,
    );
  const { modules } = scope;
  const own = { config: {}, setup: [], constraints: {}, middleware: [], credential: undefined };
  return modules ? { ...scope, modules: new Map([...modules, [scriptModule, own]]) } : scope;
}
