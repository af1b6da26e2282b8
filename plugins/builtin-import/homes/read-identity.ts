import { visibleText } from 'pegboard/channels';
import type { ForeignFile, LeftOut } from './foreign-home.ts';
import type { ForeignFolder } from './read-folder.ts';
import { hasCredential } from './suspicious.ts';

/** A text of the identity as the file `name` beside agent.yaml; none if it is missing or may not be taken. */
export function readIdentity(
  folder: ForeignFolder,
  from: string,
  name: string,
  leftOut: LeftOut[],
): readonly ForeignFile[] {
  const text = visibleText(folder.text(from) ?? '');
  if (text.trim() === '') return [];
  if (!hasCredential(text))
    return [{ kind: 'identity', to: `agent/${name}`, from, content: Buffer.from(text) }];
  leftOut.push({ what: name, from, why: 'it seems to contain a password, key or token' });
  return [];
}
