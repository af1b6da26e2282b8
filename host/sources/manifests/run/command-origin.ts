import type { FileOrigins, NamingCommand } from '../../../api/store/file-origins.ts';
import type { Origin } from '../../../api/provenance.ts';
import type { JsonObject } from '../../../api/result.ts';
import type { ToolCall } from '../../../api/tool.ts';
import { networkProgramIn } from '../../../core/processes/network-programs.ts';
import { readsNoFiles } from '../../../core/processes/reads-no-files.ts';
import type { ManifestAction } from '../manifest.ts';
import { toJson } from '../../../core/documents/written-numbers.ts';

type CommandAction = Extract<ManifestAction, { kind: 'command' }>;

/**
 * Who may have written what a command returns, besides the user: the author of a web page, or of a file that the
 * command names or that is in its folder. Which of these it reads is unknown, so each counts, unless the command only
 * prints and writes, such as to append a line.
 */
export function commandOrigin(
  action: CommandAction,
  cwd: string,
  files: FileOrigins,
  own: readonly string[] = [],
): (args: JsonObject) => Origin | undefined {
  const program = networkProgramIn(action.template);
  const network: Origin | undefined = program === undefined ? undefined : { kind: 'network', what: program };
  if (!network && readsNoFiles(action.template)) return () => undefined;
  return (args) => network ?? files.readBy(naming(action, cwd, args), 'whole', own) ?? files.within(cwd, own);
}

/** The same for a command that runs in the folder of its caller. What is in a project that the user trusts is theirs. */
export function originIn(
  action: CommandAction,
  folder: string,
  { args, workplace }: ToolCall<JsonObject>,
  files: FileOrigins,
): Origin | undefined {
  const own = workplace?.project?.isTrusted === true ? [workplace.project.root] : [];
  return commandOrigin(action, folder, files, own)(args);
}

/** Files that a command wrote may contain untrusted content that it read, or that was read before it ran. */
export async function noteWritten(
  {
    action,
    cwd,
    began,
    read: known,
  }: {
    readonly action: CommandAction;
    readonly cwd: string;
    readonly began: number;
    /** What it has read, where its tool doesn't say. */
    readonly read?: Origin | undefined;
  },
  { tool, args, turn }: ToolCall<JsonObject>,
  files: FileOrigins,
): Promise<void> {
  const read = typeof tool.untrusted === 'function' ? tool.untrusted(args) : tool.untrusted;
  const origin = known ?? read ?? turn?.untrusted.origins.at(-1);
  if (origin) await files.noteWritten(naming(action, cwd, args), began, origin);
}

const naming = ({ template }: CommandAction, cwd: string, args: JsonObject): NamingCommand => ({
  command: `${template} ${toJson(args)}`,
  words: textsIn(args),
  cwd,
});

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}
