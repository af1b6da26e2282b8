import type { Falsy } from '../../api/result.ts';
import type { Tool } from '../../api/tool.ts';
import { shapeProblem } from '../../core/documents/schema.ts';
import { plainOutput } from '../../tools/result.ts';
import type { Entrance } from './entrance.ts';
import { reportUnknown, type Plugged } from './kind.ts';
import { wrongType } from './tool-types.ts';
import { unknownInTool } from './unknown-members.ts';

const toolName = /^[A-Za-z0-9_-]{1,64}$/;

interface Place {
  /** For messages: "pack dice". */
  readonly where: string;
  /** The names that plugin.yaml lists. Undefined: any. */
  readonly names?: readonly string[] | undefined;
}

/** The tools that can be used, entered by their plugin's guard. The others are reported and left out. */
export function checkTools(
  entries: readonly (Tool | Falsy)[],
  { where, names }: Place,
  plugged: Plugged,
): readonly Tool[] {
  const { plugin, report, entrance } = plugged;
  const seen = new Set<string>();
  const tools = entries.filter((tool): tool is Tool => {
    if (!tool) return false;
    const problem = seen.has(tool.name)
      ? 'its name is taken by another of the pack'
      : (problemOf(tool) ?? undeclared(tool, names));
    if (problem === undefined) seen.add(tool.name);
    else report('invalid-tool', `the tool ${JSON.stringify(tool.name)} of ${where} is left out: ${problem}`);
    // Only a file of a space names its own tools' file.
    reportUnknown(unknownInTool(tool), plugged, plugin.dynamic && tool.origin);
    return problem === undefined;
  });
  return tools.map((tool) => enterTool({ origin: plugin.folder, ...tool }, entrance));
}

function enterTool(tool: Tool, { members, call, isOwn, ownSignals }: Entrance): Tool {
  const entered = members(tool, ['execute', 'prepare', 'untrusted', 'relays', 'guarded', 'secrets']);
  if (isOwn) return entered;
  return {
    ...entered,
    execute: async (...args) => call(async () => plainOutput(await tool.execute(...ownSignals(args)))),
  };
}

const undeclared = ({ name }: Tool, declared: readonly string[] | undefined): string | undefined =>
  declared === undefined || declared.includes(name)
    ? undefined
    : 'the tools: of its pack in plugin.yaml do not list it';

function problemOf(tool: Tool): string | undefined {
  if (typeof tool.name !== 'string' || !toolName.test(tool.name))
    return 'a name has 1 to 64 of the characters A-Z a-z 0-9 _ -';
  if (typeof tool.description !== 'string' || tool.description.trim() === '') return 'it has no description';
  if (typeof tool.execute !== 'function') return 'it has no execute function';
  const wrong = wrongType(tool);
  if (wrong !== undefined) return wrong;
  const problem = shapeProblem(tool.parameters);
  return problem === undefined ? undefined : `its parameters are not a JSON Schema of an object: ${problem}`;
}
