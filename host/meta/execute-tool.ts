import type { JsonObject } from '../api/result.ts';
import type { Tool } from '../api/tool.ts';
import { PegboardError } from '../core/errors.ts';
import { toInnerRequest } from '../dispatch/inner-call.ts';
import { isMeta } from '../tools/meta.ts';
import { noTimeoutSeconds } from './no-timeout.ts';
import type { MetaServices } from './services.ts';

interface Args {
  readonly name: string;
  readonly params: JsonObject;
}

const name = 'execute_tool';

/** Passes through the tool's result, confirmation, progress, cancellation and errors unchanged. */
export function executeTool({ snapshot, dispatch }: MetaServices): Tool<Args> {
  return {
    name,
    description: 'Run a tool, also one that is not listed.',
    parameters: {
      type: 'object',
      properties: {
        name: { type: 'string', description: 'As search_tools gave it' },
        params: { type: 'object', description: "The tool's own arguments", default: {} },
      },
      required: ['name'],
      additionalProperties: false,
    },
    innerCalls: [{ tool: 'name', args: 'params' }],
    timeout: noTimeoutSeconds,
    execute(args, call) {
      const inner = snapshot().find(args.name);
      if (inner && isMeta(inner) && inner.name === name)
        throw new PegboardError('PEG_INVALID_ARGUMENTS', `${name} runs other tools, not itself.`);
      const { checkpoint } = call;
      return dispatch({ ...toInnerRequest(call, args.name, args.params), ...(checkpoint && { checkpoint }) });
    },
  };
}
