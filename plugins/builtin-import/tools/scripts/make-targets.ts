import type { ManifestParameter } from 'pegboard/kit';
import { isPlainName, type FoundScript, type ScriptFile, type ScriptSource } from './found-script.ts';
import { createVariables, type MakeVariables } from './make-variables.ts';

const rule = /^([^\s:#=][^:#=]*?)\s*::?(?![:=])\s*([^#;]*?)\s*(?:;[^#]*)?(?:##\s*(.*))?$/;

interface Target {
  description: string | undefined;
  readonly prerequisites: string[];
  /** Its lines, and those of its prerequisites by name. */
  readonly recipe: string[];
}

/**
 * The targets that a person would call: those in .PHONY, those with a description (`## …` behind them), and where there
 * are neither, all that don't look like files. Variables that they use and that are meant to be given become parameters;
 * make expands them and pastes them into its commands, so they count as program text.
 */
export function readMakeTargets({ file, text, folder }: ScriptSource): ScriptFile {
  const lines = withoutDefinitions(text.replaceAll(/\\\r?\n/g, ' ').split(/\r?\n/));
  const variables = createVariables(lines);
  const phony = new Set<string>();
  const found = new Map<string, Target>();
  const leftOut: { what: string; why: string }[] = [];
  const wordsOf = (written: string): readonly string[] =>
    variables
      .expand(written)
      .split(/\s+/)
      .filter((word) => word !== '');
  let comment: string[] = [];
  let current: readonly Target[] = [];
  for (const line of lines) {
    const said = /^#+\s?(.*)$/.exec(line)?.[1];
    if (said !== undefined) {
      comment.push(said);
      continue;
    }
    if (line.startsWith('\t')) {
      for (const target of current) target.recipe.push(line);
      continue;
    }
    const [whole, targets = '', prerequisites = '', description] = rule.exec(line) ?? [];
    if (line.trim() !== '') current = [];
    const names = wordsOf(targets);
    const isComputed = names.some((name) => name.includes('$'));
    if (isComputed) leftOut.push({ what: `${file}: ${targets}`, why: 'make computes its name' });
    for (const name of isComputed ? [] : names) {
      if (name === '.PHONY') for (const one of wordsOf(prerequisites)) phony.add(one);
      else if (!name.includes('%') && !name.startsWith('.')) {
        const target = found.get(name) ?? { description: undefined, prerequisites: [], recipe: [] };
        target.description ??= description ?? (comment.length > 0 ? comment.join(' ') : undefined);
        target.prerequisites.push(...wordsOf(prerequisites));
        target.recipe.push(whole!);
        found.set(name, target);
        current = [...current, target];
      }
    }
    if (targets !== '.PHONY') comment = [];
  }
  const documented = [...found.values()].some(({ description }) => description !== undefined);
  const isMeant = (name: string, { description }: Target): boolean =>
    phony.size > 0 || documented ? phony.has(name) || description !== undefined : !/[./]/.test(name);
  const scripts: FoundScript[] = [];
  for (const [name, target] of found) {
    if (!isMeant(name, target)) continue;
    if (!isPlainName(name)) leftOut.push({ what: `${file}: ${name}`, why: 'its name would need quotes' });
    else scripts.push(toScript(name, target, folder, variables.givenIn(recipesOf(name, found))));
  }
  return { file, scripts, leftOut };
}

/** What is between define and endef is no rule. */
function withoutDefinitions(lines: readonly string[]): readonly string[] {
  let isInside = false;
  return lines.filter((line) => {
    if (/^\s*(?:override\s+|export\s+)*define\b/.test(line)) isInside = true;
    const isLeftOut = isInside;
    if (/^\s*endef\b/.test(line)) isInside = false;
    return !isLeftOut;
  });
}

/** The lines of a target, and of everything that is made before it. */
function recipesOf(name: string, found: ReadonlyMap<string, Target>): string {
  const seen = new Set([name]);
  for (const one of seen) for (const other of found.get(one)?.prerequisites ?? []) seen.add(other);
  return [...seen].flatMap((one) => found.get(one)?.recipe ?? []).join('\n');
}

function toScript(
  name: string,
  { description }: Target,
  folder: string,
  given: ReturnType<MakeVariables['givenIn']>,
): FoundScript {
  const parameters = given.map(({ name: variable, value }): ManifestParameter => ({
    name: variable,
    type: 'string',
    description: `The variable ${variable} of the Makefile`,
    ...(value !== undefined && { default: value }),
    unsafe: true,
  }));
  const words = given.map(({ name: variable, value }) =>
    value === undefined
      ? `{{#if ${variable}}}${variable}={{${variable}}}{{/if}}`
      : `${variable}={{${variable}}}`,
  );
  return {
    name,
    description,
    command: [`make -C ${folder} ${name}`, ...words].join(' '),
    ...(parameters.length > 0 && { parameters }),
  };
}
