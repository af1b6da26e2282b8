import { parseJson, type FileMentions } from 'pegboard';
import { foldersOf, inArguments, inProse } from '../background/mentions.ts';
import type { WatcherRights } from './rights.ts';
import type { Action, Target, Watcher } from './tables.ts';

/** Files that a watcher's calls and instructions mention. Files that it only watches are not run. */
export function mentionsOf(
  { target, action, rights }: Pick<Watcher, 'target' | 'action' | 'rights'>,
  services: Parameters<typeof foldersOf>[0],
): readonly FileMentions[] {
  const folders = foldersOf(services, (parseJson(rights) as WatcherRights).agent);
  const [looks, acts] = [parseJson(target) as Target, parseJson(action) as Action];
  return [
    ...(looks.kind === 'tool' ? [inArguments(looks.args, folders)] : []),
    ...(acts.kind === 'tool' ? [inArguments(acts.args, folders)] : []),
    ...(acts.kind === 'instruction' ? [inProse(acts.text, folders)] : []),
  ];
}
