import type { JsonObject, JsonSchema } from '../../api/result.ts';
import type { WrittenManifest } from '../../formats/tool.ts';
import type { LoadedCommand } from './command/load.ts';
import type { LoadedRequest } from './http/load-request.ts';

/** A tool, as described by its checked manifest. */
export interface ToolManifest {
  /** The manifest as written in the file. */
  readonly written: WrittenManifest;
  /** JSON Schema of the arguments, from `parameters` or `inputSchema`. */
  readonly schema: JsonSchema;
  readonly action: ManifestAction;
  /** The folder of its space or plugin, absolute. */
  readonly root: string;
  /** Absolute, inside `root`; undefined for the folder of each caller. */
  readonly cwd: string | undefined;
  /** Markdown below the front matter. */
  readonly documentation: string;
  /** The file that contains it. */
  readonly path: string;
  /** SHA-256 of the manifest and, for a function, of its file. */
  readonly fingerprint: string;
}

export type ManifestAction =
  | { readonly kind: 'command'; readonly template: string; readonly command: LoadedCommand }
  | { readonly kind: 'http'; readonly request: LoadedRequest }
  | { readonly kind: 'mcp'; readonly server: string; readonly tool: string }
  /** `fixed`: arguments that the manifest gives. */
  | { readonly kind: 'bridge'; readonly tool: string; readonly fixed: JsonObject }
  | { readonly kind: 'script'; readonly program: string }
  /** `file` is absolute. */
  | { readonly kind: 'handler'; readonly file: string; readonly export: string };
