import { PegboardError, type Tool } from 'pegboard';
import { noTimeoutSeconds } from 'pegboard/kit';
import type { ScriptRunner } from './script-runner.ts';

interface Args {
  readonly code: string;
}

/** Part of every request of an agent, so it is kept short. What is wrong in a script, its failure says. */
const how = "an async function's body: await tools.MODULE.NAME({…}). Only its result comes back.";

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
      description: `Run TypeScript over tools, ${how}`,
    },
    {
      ...tool('run_read_only_script', scripts, true),
      description: `Run TypeScript over low-risk tools, ${how}`,
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
