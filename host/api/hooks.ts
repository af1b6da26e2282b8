import type { MaybePromise, ToolResult } from './result.ts';
import type { RegisteredTool, ToolCall } from './tool.ts';

/** Refuse the call, or let a person decide. No verdict: go on. */
export type Verdict = { readonly deny: string } | { readonly confirm: string };

export interface Hooks {
  /** Returns the arguments to go on with; nothing keeps them. Runs before validation, so judges see what will run. */
  preValidate(call: { readonly tool: RegisteredTool; readonly args: unknown }): MaybePromise<unknown>;
  /** Judges a validated, prepared call. Can't change it. */
  preTool(call: ToolCall): MaybePromise<Verdict | void>;
  /** Returns the result to go on with; nothing keeps it. */
  postTool(call: ToolCall, result: ToolResult): MaybePromise<ToolResult | void>;
}
export type HookName = keyof Hooks;

/** A handler, or one with its place and reach. */
export type Hook<K extends HookName = HookName> =
  | Hooks[K]
  | {
      /** `pre` runs before the others, `post` after. */
      readonly order?: 'pre' | 'post';
      /** Glob patterns over tool ids or bare names; absent: all tools. */
      readonly tools?: string | readonly string[];
      /** Seconds until the hook counts as failed, which denies. Default 10. */
      readonly timeout?: number;
      readonly handler: Hooks[K];
    };
export type HookSet = { readonly [K in HookName]?: Hook<K> | readonly Hook<K>[] };
