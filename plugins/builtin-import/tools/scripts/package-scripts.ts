import { asSentence, parseJson, PegboardError } from 'pegboard';
import { membersOf, messageOf, trimmedText } from 'pegboard/kit';
import { isPlainName, type FoundScript, type ScriptFile, type ScriptSource } from './found-script.ts';

/** npm runs these by itself. */
const lifecycle =
  /^(?:(?:pre|post)?(?:install|publish|pack|prepare|version|shrinkwrap|uninstall)|prepublishOnly|dependencies)$/;

/** By the lock file beside package.json: how a script of another folder is run. */
const managers = [
  { lock: /^pnpm-lock\.yaml$/, run: (folder: string, name: string) => `pnpm --dir ${folder} run ${name}` },
  { lock: /^bun\.lockb?$/, run: (folder: string, name: string) => `bun --cwd=${folder} run ${name}` },
  { lock: /^yarn\.lock$/, run: (folder: string, name: string) => `yarn --cwd ${folder} run ${name}` },
] as const;
const npm = (folder: string, name: string): string => `npm --prefix ${folder} run ${name}`;

/** The scripts of package.json, except those that npm runs itself. Throws PEG_USAGE for invalid JSON. */
export function readPackageScripts({ file, text, folder, siblings }: ScriptSource): ScriptFile {
  const manifest = membersOf(parsed(file, text));
  const all = Object.entries(membersOf(manifest['scripts']));
  const names = new Set(all.map(([name]) => name));
  const run = managers.find(({ lock }) => siblings.some((name) => lock.test(name)))?.run ?? npm;
  const scripts: FoundScript[] = [];
  const leftOut: { what: string; why: string }[] = [];
  for (const [name, value] of all) {
    const before = /^(?:pre|post)(.+)$/.exec(name)?.[1];
    if (before !== undefined && names.has(before)) continue;
    if (lifecycle.test(name)) continue;
    if (trimmedText(value) === '') leftOut.push({ what: `${file}: ${name}`, why: 'it has no command' });
    else if (!isPlainName(name))
      leftOut.push({ what: `${file}: ${name}`, why: 'its name would need quotes' });
    else scripts.push({ name, command: run(folder, name), documentation: `Runs \`${trimmedText(value)}\`` });
  }
  return { file, scripts, leftOut };
}

function parsed(file: string, text: string): unknown {
  try {
    return parseJson(text);
  } catch (cause) {
    throw new PegboardError('PEG_USAGE', `${file} is not valid JSON: ${asSentence(messageOf(cause))}`, {
      cause,
    });
  }
}
