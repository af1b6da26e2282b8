import { statSync } from 'node:fs';
import { basename } from 'node:path';
import type { PickedFile } from '../../api/ask.ts';

/** A file of this machine that a person has chosen. Throws when it can't be looked at. */
export const toPicked = (path: string): PickedFile => ({
  name: basename(path),
  path,
  mimeType: '',
  size: statSync(path).size,
});
