import type { PluginContext, Tool } from 'pegboard';
import type { CoreConfig } from '../config.ts';
import { createBash } from '../shell/bash.ts';
import type { FileAccess } from './access/file-access.ts';
import { createEdit } from './edit.ts';
import { createGlob } from './glob.ts';
import { createGrep } from './grep.ts';
import type { LineSearchEngine } from './search/line-search.ts';
import { chooseEngine } from './search/search-engine.ts';
import { createListdir } from './listdir.ts';
import { unlessReadOnly } from './access/read-only.ts';
import { createRead } from './read.ts';
import { createWrite } from './write.ts';

export function createFilesystemPack(
  { config }: PluginContext<CoreConfig>,
  access: FileAccess,
): readonly Tool[] {
  let chosen: Promise<LineSearchEngine> | undefined;
  const engine = (): Promise<LineSearchEngine> => (chosen ??= chooseEngine());
  return [
    createRead(access),
    unlessReadOnly(createWrite(access)),
    unlessReadOnly(createEdit(access)),
    createGlob(access),
    createGrep(access, engine),
    createListdir(access),
    unlessReadOnly(createBash(access, config.bash)),
  ];
}
