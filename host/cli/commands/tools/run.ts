import { absolutePath } from '../../absolute-path.ts';
import type { Scope } from '../../../api/source.ts';
import { scriptModule } from '../../../scripts/script-module.ts';
import { PegboardError } from '../../../core/errors.ts';
import type { Host } from '../../../host.ts';
import { isVisible } from '../../../tools/access.ts';
import { metaSource } from '../../../tools/meta.ts';
import type { CommandHandler } from '../../command.ts';
import { scopeOf } from '../../scope.ts';
import { callAndReport } from '../../tools/call-tool.ts';

export const run: CommandHandler = async (context) => {
  const [name = '', ...words] = context.words;
  const host = await context.openHost();
  await using script = await host.openScriptFile(absolutePath(name, context.surroundings));
  const { tool, isAdded } = script;
  const scope = scopeOf(host, context);
  const call = { name: tool.id, tool, words, scope: isAdded ? withScripts(host, scope) : scope };
  const { code } = await callAndReport(host, call, context);
  return code;
};

/** With the module of scripts that are no tools of the home. Throws PEG_TOOL_UNAVAILABLE for an agent that may not run scripts. */
function withScripts({ registry }: Host, scope: Scope): Scope {
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
