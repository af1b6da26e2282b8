import type { User } from '../../../core/platform/places.ts';
import type { FileOrigins } from '../../../api/store/file-origins.ts';
import type { JsonObject, ToolOutput } from '../../../api/result.ts';
import type { ToolCall } from '../../../api/tool.ts';
import type { Redactor } from '../../../core/secrets/redact.ts';
import type { WhyUnset } from '../../../core/secrets/why-unset.ts';
import type { Scripts } from '../../../api/services/scripts.ts';

/** Runs a program over tools. Passed in by the host, because it may call all of them. */
type RunScript = Scripts['run'];

/** Runs a tool of an MCP server. Passed in by the host, because manifests don't know about MCP. */
type McpRunner = (server: string, tool: string, args: unknown, call: ToolCall) => Promise<ToolOutput>;

/** What tools of manifests need from the host. */
export interface ManifestContext {
  /** The value of a `${NAME}`: a variable of the host's environment or a secret. */
  readonly resolve: (name: string) => string | undefined;
  readonly user: User;
  readonly whyUnset?: WhyUnset | undefined;
  /** Whether a `${NAME}` is a secret, which only tools allowed by the owner get. */
  readonly isSecret: (name: string) => boolean;
  /** Learns the values that were filled in, before the program that gets them starts. */
  readonly redactor: Redactor;
  /**
   * The file to run for a file of code in the space's folder: the file itself, or its approved version if it has
   * changed since. Throws PEG_DENIED when neither may run.
   */
  readonly runnableFile: (root: string, file: string) => string;
  /** Throws PEG_TOOL_UNAVAILABLE when the manifest's file or its space differs from what the owner approved. */
  readonly checkPinned: (root: string, path: string) => void;
  readonly runMcp: McpRunner;
  readonly runScript: RunScript;
  /** Runs a tool where the person is. Passed in for the same reason. */
  readonly runBridge: (tool: string, args: JsonObject, call: ToolCall) => Promise<ToolOutput>;
  readonly fileOrigins: FileOrigins;
  /** Absolute folders that links in a space or plugin may lead to: the home. */
  readonly linkTargets: readonly string[];
}
