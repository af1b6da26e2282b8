import { hash } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { PegboardError } from '../../core/errors.ts';
import type { ApprovedTexts } from '../../store/owner/space-pins.ts';
import type { PinnedTree } from './pinned-tree.ts';
import { readRegularFile } from '../../core/files/regular-file.ts';

/** Files whose texts are never copied, only hashed. URLs of repositories may contain passwords. */
const holdsSecrets = /(?:^|\/)(?:\.env[^/]*|\.git\/.*config[^/]*)$/;
/** Texts of packages are not copied; they can be read in place. */
const isPackage = /(?:^|\/)node_modules\//;
/** Bytes of a file that is kept to be compared, and of all of them. */
const maxTextBytes = 256 * 1024;
const maxTotalBytes = 8 * 1024 * 1024;

/** The texts among the files of a space. What is shown is what is hashed: throws PEG_DENIED when one has changed. */
export function textsIn(folder: string, tree: PinnedTree): ApprovedTexts {
  const texts: { [name: string]: string } = {};
  let total = 0;
  for (const [name, what] of Object.entries(tree)) {
    if (holdsSecrets.test(name) || isPackage.test(name) || total > maxTotalBytes) continue;
    const path = join(folder, name);
    const found = statSync(path, { throwIfNoEntry: false });
    if (!found?.isFile() || found.size > maxTextBytes) continue;
    const bytes = readRegularFile(path);
    if (!what.startsWith('git ') && !what.includes(hashOf(bytes)))
      throw new PegboardError('PEG_DENIED', `${path} changes while it is read. Look again.`);
    const text = textOf(bytes);
    if (text === undefined) continue;
    texts[name] = text;
    total += bytes.length;
  }
  return texts;
}

export const hashOf = (content: Uint8Array): string => hash('sha256', content);

export const textOf = (content: Uint8Array): string | undefined =>
  content.length <= maxTextBytes && !content.includes(0) ? Buffer.from(content).toString('utf8') : undefined;
