import { PegboardError, type Caller, type Tool } from 'pegboard';

/** The tool as it is, but refused to agents whose file says `read_only` of the pack. */
export function unlessReadOnly(tool: Tool): Tool {
  return {
    ...tool,
    prepare(args: unknown, caller: Caller) {
      if (caller.module?.constraints['read_only'] === true) {
        throw new PegboardError(
          'PEG_DENIED',
          `This agent may read files and change none: its file says filesystem.constraints.read_only, and ${tool.name} could change some.`,
        );
      }
      return tool.prepare?.(args, caller) ?? { preview: tool.name };
    },
  };
}
