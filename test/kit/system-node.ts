import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Folders of the PATH but those of projects, which npm puts in front. */
export function systemPath(): string[] {
  return process.env['PATH']!.split(delimiter).filter(
    (folder) => !/[\\/]node_modules(?:[\\/]|$)/.test(folder),
  );
}

/** The Node that this machine has beside the clone's own, which may be older; where there is none, the one that runs this. */
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
