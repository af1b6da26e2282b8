import type { ConfirmPolicy } from '../../api/dispatch.ts';
import type { JsonObject } from '../../api/result.ts';
import type { RegisteredTool } from '../../api/tool.ts';
import { errorCodes } from '../../core/errors.ts';
import type { Host } from '../../host.ts';
import { callTool, reportCall } from '../tools/call-tool.ts';
import type { Context } from '../command.ts';
import { fillIn } from '../terminal/form.ts';
import { propertiesOf, requiredOf } from '../values.ts';

export interface ToolRun {
  readonly tool: RegisteredTool;
  readonly given: JsonObject;
  readonly confirm: ConfirmPolicy | undefined;
  /** Ask for optional parameters even if nothing required is missing. */
  readonly offerOptional?: boolean;
}

/** Asks for missing arguments where there is somebody to ask, runs the tool and shows the result. Returns the exit code. */
export async function runTool(host: Host, wish: ToolRun, context: Context): Promise<number> {
  const { tool, confirm } = wish;
  const args = await complete(wish, context);
  if (!args) {
    context.terminal.err.line('Not run.');
    return errorCodes.PEG_DECLINED;
  }
  const startedAt = performance.now();
  const result = await callTool(host, { name: tool.id, tool, args, ...(confirm && { confirm }) }, context);
  return await reportCall(result, { tool: tool.id, ms: performance.now() - startedAt }, context);
}

async function complete(
  { tool, given, offerOptional = false }: ToolRun,
  { terminal, signal }: Context,
): Promise<JsonObject | undefined> {
  const { parameters } = tool;
  const missing = requiredOf(parameters).some((name) => !(name in given) && name in propertiesOf(parameters));
  if (!terminal.interactive || (!missing && !offerOptional)) return given;
  return fillIn(parameters, given, { terminal, signal });
}
