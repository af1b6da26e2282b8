import type { PluginContext, Tool } from 'pegboard';
import type { CoreConfig } from '../config.ts';
import { createBash } from '../shell/bash.ts';
import { createFileAccess } from './file-access.ts';
import { createEdit } from './edit.ts';
import { createGlob } from './glob.ts';
import { createGrep } from './grep.ts';
import type { LineSearchEngine } from './line-search.ts';
import { chooseEngine } from './search-engine.ts';
import { createListdir } from './listdir.ts';
import { createRead } from './read.ts';
import { createWrite } from './write.ts';

export function createFilesystemPack(context: PluginContext<CoreConfig>): readonly Tool[] {
  const access = createFileAccess(context);
  let chosen: Promise<LineSearchEngine> | undefined;
  const engine = (): Promise<LineSearchEngine> => (chosen ??= chooseEngine());
  return [
    createRead(access),
    createWrite(access),
    createEdit(access),
    createGlob(access),
    createGrep(access, engine),
    createListdir(access),
    createBash(access, context.config.bash),
  ];
}
