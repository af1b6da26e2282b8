import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Folders of the PATH without those of projects, which npm prepends. */
export function systemPath(): string[] {
  return process.env['PATH']!.split(delimiter).filter(
    (folder) => !/[\\/]node_modules(?:[\\/]|$)/.test(folder),
  );
}

/** The system's Node, which may be older than the clone's; if there is none, the one that runs this. */
export function systemNode(): string {
  const found = systemPath().map((folder) => join(folder, 'node'));
  return found.find(isExecutable) ?? process.execPath;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
