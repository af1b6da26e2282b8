import type { JsonObject, ToolOutput } from '../../api/result.ts';
import type { ToolCall } from '../../api/tool.ts';
import { validatorOf } from '../../core/documents/schema.ts';
import { PegboardError } from '../../core/errors.ts';
import { bridgeTools } from './source.ts';

/** Runs a bridge tool under the name of another one. Throws PEG_INVALID_ARGUMENTS. */
export async function runBridgeTool(name: string, args: JsonObject, call: ToolCall): Promise<ToolOutput> {
  const tool = bridgeTools.find((one) => one.name === name)!;
  const problems = (await validatorOf(tool.parameters))(args);
  if (problems.length > 0)
    throw new PegboardError(
      'PEG_INVALID_ARGUMENTS',
      `${name} does not take these arguments: ${problems.map(({ message }) => message).join('; ')}`,
    );
  return await tool.execute(args, call);
}
