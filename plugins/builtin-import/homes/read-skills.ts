import type { ForeignFile, LeftOut } from './foreign-home.ts';
import type { ForeignFolder } from './read-folder.ts';
import { hasCredential } from './suspicious.ts';

const maxSkillFiles = 200;
const maxDepth = 6;

export interface FoundSkills {
  readonly files: readonly ForeignFile[];
  readonly leftOut: readonly LeftOut[];
}

/**
 * Every folder below `root` with a SKILL.md, whole. Below hidden folders nothing is looked for. `isOwn`: the other program brought the
 * skill along.
 */
export function readSkills(
  folder: ForeignFolder,
  roots: readonly string[],
  isOwn: (name: string) => boolean = () => false,
): FoundSkills {
  const taken = new Map<string, readonly ForeignFile[]>();
  const leftOut: LeftOut[] = [];
  for (const { name, path } of roots.flatMap((root) => skillFolders(folder, root))) {
    const leave = (why: string): number => leftOut.push({ what: `skill ${name}`, from: path, why });
    if (isOwn(name)) leave('it came with the program');
    else if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name) || name.length > 64)
      leave('its name has other characters than lower-case letters, digits and single hyphens');
    else if (taken.has(name)) leave('another skill has the same name');
    else {
      const files = readSkill(folder, name, path);
      if (typeof files === 'string') leave(files);
      else taken.set(name, files);
    }
  }
  return { files: [...taken.values()].flat(), leftOut };
}

function skillFolders(
  folder: ForeignFolder,
  at: string,
  depth = 0,
): readonly { readonly name: string; readonly path: string }[] {
  return folder.list(at).flatMap(({ name, kind }) => {
    const path = `${at}/${name}`;
    if (kind !== 'folder') return [];
    if (folder.list(path).some((entry) => entry.name === 'SKILL.md')) return [{ name, path }];
    return depth < maxDepth && !name.startsWith('.') ? skillFolders(folder, path, depth + 1) : [];
  });
}

/** All files of a skill, or why it is not taken. */
function readSkill(folder: ForeignFolder, name: string, path: string): readonly ForeignFile[] | string {
  const files: ForeignFile[] = [];
  const pending = [path];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    for (const entry of folder.list(at)) {
      const from = `${at}/${entry.name}`;
      if (entry.kind === 'folder') {
        if (from.split('/').length - path.split('/').length > maxDepth)
          return 'its folders are nested too deeply';
        if (!['.git', 'node_modules', '__pycache__'].includes(entry.name)) pending.push(from);
        continue;
      }
      if (files.length >= maxSkillFiles) return `it has more than ${maxSkillFiles} files`;
      const content = folder.bytes(from);
      if (!content) return `${from} can't be taken`;
      if (entry.name === '.env' || hasCredential(content.toString('utf8')))
        return `${from} seems to contain a password, key or token`;
      files.push({ kind: 'skill', from, content, to: `agent/skills/${name}/${from.slice(path.length + 1)}` });
    }
  }
  return files.some(({ from }) => from === `${path}/SKILL.md`) ? files : 'its SKILL.md is not a file';
}
