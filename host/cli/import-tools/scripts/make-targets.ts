import { isPlainName, type FoundScript, type ScriptFile, type ScriptSource } from './found-script.ts';

const rule = /^([^\s:#=][^:#=]*?)\s*::?(?![:=])\s*([^#]*?)\s*(?:##\s*(.*))?$/;

/**
 * The targets that a person would call: those in .PHONY, those with a description (`## …` behind them), and where there
 * are neither, all that don't look like files.
 */
export function readMakeTargets({ file, text, folder }: ScriptSource): ScriptFile {
  const phony = new Set<string>();
  const found = new Map<string, string | undefined>();
  let comment: string[] = [];
  for (const line of text.replaceAll(/\\\r?\n/g, ' ').split(/\r?\n/)) {
    const said = /^#+\s?(.*)$/.exec(line)?.[1];
    if (said !== undefined) {
      comment.push(said);
      continue;
    }
    const [, targets = '', prerequisites = '', description] = line.startsWith('\t')
      ? []
      : (rule.exec(line) ?? []);
    for (const target of targets.split(/\s+/).filter((word) => word !== '')) {
      if (target === '.PHONY') for (const name of prerequisites.split(/\s+/)) phony.add(name);
      else if (!/[%$]/.test(target) && !target.startsWith('.') && found.get(target) === undefined)
        found.set(target, description ?? (comment.length > 0 ? comment.join(' ') : undefined));
    }
    if (targets !== '.PHONY') comment = [];
  }
  const documented = [...found].some(([, description]) => description !== undefined);
  const isMeant = (target: string, description: string | undefined): boolean =>
    phony.size > 0 || documented ? phony.has(target) || description !== undefined : !/[./]/.test(target);
  const scripts = [...found].flatMap(([name, description]): readonly FoundScript[] =>
    isPlainName(name) && isMeant(name, description)
      ? [{ name, description, command: `make -C ${folder} ${name}` }]
      : [],
  );
  return { file, scripts, leftOut: [] };
}
