import { type PluginContext, type Tool, PegboardError, type Caller } from 'pegboard';
import type { CoreConfig } from '../config.ts';
import { createBash } from '../shell/bash.ts';
import type { FileAccess } from './access/file-access.ts';
import { inProject } from './access/project-roots.ts';
import { createEdit } from './edit.ts';
import { createGlob } from './glob.ts';
import { createGrep } from './grep.ts';
import type { LineSearchEngine } from './search/line-search.ts';
import { chooseEngine } from './search/search-engine.ts';
import { createListdir } from './listdir.ts';
import { createRead } from './read.ts';
import { createWrite } from './write.ts';

export function createFilesystemPack(
  { config }: PluginContext<CoreConfig>,
  access: FileAccess,
): readonly Tool[] {
  let chosen: Promise<LineSearchEngine> | undefined;
  const engine = (): Promise<LineSearchEngine> => (chosen ??= chooseEngine(access.surroundings));
  const makers: readonly ((own: FileAccess) => Tool)[] = [
    createRead,
    (own) => enforceReadOnly(createWrite(own)),
    (own) => enforceReadOnly(createEdit(own)),
    createGlob,
    (own) => createGrep(own, engine),
    createListdir,
    (own) => enforceReadOnly(createBash(own, config.bash)),
  ];
  return makers.map((make) => inProject(access, make));
}

/** The tool, refused to agents whose file sets `read_only` for the pack. */
function enforceReadOnly(tool: Tool): Tool {
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
