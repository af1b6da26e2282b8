import type { PluginContext, Tool } from 'pegboard';
import type { CoreConfig } from '../config.ts';
import { createFileAccess } from './file-access.ts';
import { createListdir } from './listdir.ts';
import { createRead } from './read.ts';
import { createWrite } from './write.ts';

export function createFilesystemPack(context: PluginContext<CoreConfig>): readonly Tool[] {
  const access = createFileAccess(context);
  return [createRead(access), createWrite(access), createListdir(access)];
}
