import type { MaybePromise, ToolResult } from './result.ts';
import type { RegisteredTool, ToolCall } from './tool.ts';

/** Denies the call, or asks for confirmation with this reason. Without a verdict the call goes on. */
export type Verdict = { readonly deny: string } | { readonly confirm: string };

export interface Hooks {
  /** Returns changed arguments, or nothing to keep them. Runs before validation, so that preTool hooks see the final arguments. */
  preValidate(call: { readonly tool: RegisteredTool; readonly args: unknown }): MaybePromise<unknown>;
  /** Judges a validated and prepared call. Can't change it. */
  preTool(call: ToolCall): MaybePromise<Verdict | void>;
  /** Returns a changed result, or nothing to keep it. */
  postTool(call: ToolCall, result: ToolResult): MaybePromise<ToolResult | void>;
}
export type HookName = keyof Hooks;

/** A handler, optionally with its order, tools and timeout. */
export type Hook<K extends HookName = HookName> =
  | Hooks[K]
  | {
      /** `pre` runs before the others, `post` after. */
      readonly order?: 'pre' | 'post';
      /** Glob patterns over tool ids or bare names. Default: all tools. */
      readonly tools?: string | readonly string[];
      /** Seconds until the hook counts as failed, which denies the call. Default: 10. */
      readonly timeout?: number;
      readonly handler: Hooks[K];
    };
export type HookSet = { readonly [K in HookName]?: Hook<K> | readonly Hook<K>[] };
