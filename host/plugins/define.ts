import type { Static, TSchema } from 'typebox';
import type { Plugin } from '../api/plugin.ts';
import type { JsonObject, JsonSchema, MaybePromise, ToolOutput } from '../api/result.ts';
import type { Caller, Prepared, Tool, ToolCall, ToolDefinition } from '../api/tool.ts';

/** Gives `setup` its types. `definePlugin<Static<typeof Config>>({ … })` types `context.config`. */
export function definePlugin<Config = JsonObject>(plugin: Plugin<Config>): Plugin<Config> {
  return plugin;
}

/** A tool as it is written: the type of `args` follows from `parameters`, TypeBox or plain JSON Schema. */
export interface ToolInput<Parameters extends TSchema, Plan>
  extends
    Omit<ToolDefinition, 'parameters'>,
    Pick<
      Tool,
      | 'timeout'
      | 'pausesTurnTimeout'
      | 'confirm'
      | 'guarded'
      | 'untrusted'
      | 'tracksOrigins'
      | 'fingerprint'
      | 'innerCalls'
      | 'validateArguments'
      | 'preservesNumbers'
    > {
  readonly parameters: Parameters;
  prepare?(args: Static<Parameters>, caller: Caller): MaybePromise<Prepared<Plan>>;
  execute(args: Static<Parameters>, call: ToolCall<Static<Parameters>, Plan>): MaybePromise<ToolOutput>;
}

/** Gives a tool's functions their types. */
export function defineTool<const Parameters extends TSchema, Plan = undefined>(
  tool: ToolInput<Parameters, Plan>,
): Tool<Static<Parameters>, Plan> {
  return tool as ToolInput<Parameters, Plan> & { readonly parameters: JsonSchema };
}
