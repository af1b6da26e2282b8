import type { JsonSchema } from '../../api/result.ts';
import type { ToolExample } from '../../api/tool.ts';
import type { WrittenSandbox } from '../../core/sandbox/rule.ts';
import type { CommandOutput } from './run/command-output.ts';
import type { LoadedCommand } from './command/load.ts';

/** A tool as its manifest describes it, checked. */
export interface ToolManifest {
  /** The manifest as written in the file. */
  readonly written: WrittenManifest;
  /** JSON Schema of the arguments, from `parameters` or `inputSchema`. */
  readonly schema: JsonSchema;
  readonly action: ManifestAction;
  /** The folder of its space or plugin, absolute. */
  readonly root: string;
  /** Absolute, inside `root`. */
  readonly cwd: string;
  /** Markdown below the front matter. */
  readonly documentation: string;
  /** The file that it is written in. */
  readonly path: string;
  /** SHA-256 over the manifest and, for a function, its file. */
  readonly fingerprint: string;
}

export type ManifestAction =
  | { readonly kind: 'command'; readonly template: string; readonly command: LoadedCommand }
  | { readonly kind: 'mcp'; readonly server: string; readonly tool: string }
  /** `file` is absolute. */
  | { readonly kind: 'handler'; readonly file: string; readonly export: string };

/** One entry of `parameters`, as written. */
export interface ManifestParameter {
  readonly name: string;
  readonly type: 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object';
  readonly description?: string;
  readonly required?: boolean;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly pattern?: string;
  readonly items?: JsonSchema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly allowDash?: boolean;
  readonly unsafe?: boolean;
}

/** A manifest as written: what tool.schema.json admits. */
export interface WrittenManifest {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly category?: string;
  readonly icon?: string;
  readonly tags?: readonly string[];
  readonly aliases?: readonly string[];
  readonly examples?: readonly ToolExample[];
  readonly parameters?: readonly ManifestParameter[];
  readonly inputSchema?: JsonSchema;
  readonly command?: string;
  readonly mcp?: true;
  readonly server?: string;
  readonly tool?: string;
  readonly handler?: string;
  readonly timeout?: number;
  readonly confirm?: boolean;
  readonly readOnly?: boolean;
  readonly environment?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly output?: CommandOutput;
  readonly sandbox?: WrittenSandbox;
}
