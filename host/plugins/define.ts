import type { Static, TSchema } from 'typebox';
import type { Plugin } from '../api/plugin.ts';
import type { JsonObject, MaybePromise, ToolOutput } from '../api/result.ts';
import type { Caller, Prepared, Tool, ToolCall, ToolDefinition } from '../api/tool.ts';
import type { StructuredOutput } from '../tools/structure.ts';

/** Gives `setup` its types. `definePlugin<Static<typeof Config>>({ … })` types `context.config`. */
export function definePlugin<Config = JsonObject>(plugin: Plugin<Config>): Plugin<Config> {
  return plugin;
}

/**
 * A tool as it is written: the type of `args` follows from `parameters`, and what `execute` must return from
 * `outputSchema`, if there is one. Both are TypeBox or plain JSON Schema.
 */
export interface ToolInput<Parameters extends TSchema, Plan, Output extends TSchema = TSchema>
  extends
    Omit<ToolDefinition, 'parameters' | 'outputSchema'>,
    Pick<
      Tool,
      | 'timeout'
      | 'pausesTurnTimeout'
      | 'confirm'
      | 'permission'
      | 'guarded'
      | 'untrusted'
      | 'tracksOrigins'
      | 'relays'
      | 'recordsChanges'
      | 'fingerprint'
      | 'innerCalls'
      | 'validateArguments'
      | 'preservesNumbers'
    > {
  readonly parameters: Parameters;
  readonly outputSchema?: Output;
  prepare?(args: Static<Parameters>, caller: Caller): MaybePromise<Prepared<Plan>>;
  execute(
    args: Static<Parameters>,
    call: ToolCall<Static<Parameters>, Plan>,
  ): MaybePromise<TSchema extends Output ? ToolOutput : StructuredOutput<Output>>;
}

/** Gives a tool's functions their types. */
export function defineTool<
  const Parameters extends TSchema,
  Plan = undefined,
  const Output extends TSchema = TSchema,
>(tool: ToolInput<Parameters, Plan, Output>): Tool<Static<Parameters>, Plan> {
  // The types of the schemas are narrower than JsonSchema, and what is returned narrower than ToolOutput.
  return tool as unknown as Tool<Static<Parameters>, Plan>;
}
