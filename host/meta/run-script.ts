import type { Tool } from '../api/tool.ts';
import { PegboardError } from '../core/errors.ts';
import type { ScriptRunner } from '../scripts/script-runner.ts';
import { noTimeoutSeconds } from './delegate-task.ts';

interface Args {
  readonly code: string;
}

const how = `The body of an async function in TypeScript, with no imports, files, network or timers, only tools: await tools.MODULE.NAME({…}), or call("id", {…}); a failed call throws ToolError {code, message}. await tools.$search("words") finds tools, await tools.$types("module.name") says how to call one. Use Promise.all for independent calls.`;

const parameters = {
  type: 'object',
  properties: { code: { type: 'string' } },
  required: ['code'],
  additionalProperties: false,
};

/** Programs of models over all tools that they may see: only what a program returns goes through their context. */
export function scriptTools(scripts: ScriptRunner): readonly Tool<Args>[] {
  return [
    {
      ...tool('run_script', scripts, false),
      description: `Run one script over several tools; only what it returns comes back. For loops, joins, filters, and results too large to read; not for one call. ${how} Return little.`,
    },
    {
      ...tool('run_read_only_script', scripts, true),
      description: `Run one script over several tools that only read (risk low); others are refused. ${how} Only what it returns comes back: return little.`,
      annotations: { readOnlyHint: true, openWorldHint: true },
    },
  ];
}

function tool(name: string, scripts: ScriptRunner, readOnly: boolean): Omit<Tool<Args>, 'description'> {
  return {
    name,
    parameters,
    timeout: noTimeoutSeconds,
    execute({ code }, call) {
      if (scripts.isWithinScript(call))
        throw new PegboardError('PEG_INVALID_ARGUMENTS', `${name} runs other tools, not itself.`);
      return scripts.run(bodyOf(code), call, readOnly ? { readOnly } : {});
    },
  };
}

/** Models wrap a program in a Markdown fence or in a function although they are told not to. */
function bodyOf(code: string): string {
  const inFence = /^\s*```\w*\n([\s\S]*?)\n?```\s*$/.exec(code)?.[1] ?? code;
  return /^\s*async\s*\(\s*\)\s*=>\s*\{([\s\S]*)\}\s*;?\s*$/.exec(inFence)?.[1] ?? inFence;
}
