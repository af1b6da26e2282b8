import { type ManifestParameter, quoteWord } from 'pegboard/kit';
import type { FoundScript, ScriptFile, ScriptSource } from './found-script.ts';

const recipe = /^@?([A-Za-z][\w-]*)((?:\s+[^:\s](?:[^:"']|"[^"]*"|'[^']*')*)?)\s*:(?!=)/;
const parameter = /([*+]?)\$?([A-Za-z_][\w-]*)(?:=("[^"]*"|'[^']*'|\S+))?/g;

/** The recipes of a justfile, without private ones. just pastes parameters into its commands, so they count as program text. */
export function readJustRecipes({ file, text, folder }: ScriptSource): ScriptFile {
  const scripts: FoundScript[] = [];
  const leftOut: { what: string; why: string }[] = [];
  let comment: string | undefined;
  let isPrivate = false;
  for (const line of text.replaceAll(/\\\r?\n/g, ' ').split(/\r?\n/)) {
    const said = /^#(?!!)\s*(.*)$/.exec(line)?.[1];
    const attributes = /^\[(.*)\]\s*$/.exec(line)?.[1];
    if (said !== undefined) comment = said;
    else if (attributes !== undefined) {
      isPrivate ||= /\bprivate\b/.test(attributes);
      comment = /\bdoc\s*\(\s*(["'])(.*?)\1/.exec(attributes)?.[2] ?? comment;
    } else {
      const [, name, written = ''] = recipe.exec(line) ?? [];
      if (name !== undefined && !isPrivate && !/^(?:alias|set|export|import|mod)$/.test(name))
        scripts.push(toScript(name, written, comment));
      comment = undefined;
      isPrivate = false;
    }
  }
  return { file, scripts, leftOut };

  function toScript(name: string, written: string, description: string | undefined): FoundScript {
    const { parameters, dropped } = parametersOf(written);
    const words = parameters.map((one) => `{{${one.name}}}`);
    const at = folder === '.' ? '' : `${folder}/`;
    return {
      name,
      description,
      command: [
        `just --justfile ${at}${quoteWord(file)} --working-directory ${folder} ${name}`,
        ...words,
      ].join(' '),
      ...(parameters.length > 0 && { parameters }),
      ...(dropped.length > 0 && {
        documentation: `Its parameters ${dropped.join(', ')} have values that just computes, and are left to it.`,
      }),
    };
  }
}

/** Parameters are positional: after one whose default is computed, none can be given. */
function parametersOf(written: string): {
  readonly parameters: readonly ManifestParameter[];
  readonly dropped: readonly string[];
} {
  const parameters: ManifestParameter[] = [];
  const dropped: string[] = [];
  for (const [, several = '', name = '', standard] of written.matchAll(parameter)) {
    const constant = standard === undefined ? undefined : /^(["'])(.*)\1$/s.exec(standard)?.[2];
    if (dropped.length > 0 || (standard !== undefined && constant === undefined)) dropped.push(name);
    else
      parameters.push({
        name,
        type: several === '' ? 'string' : 'array',
        description: several === '' ? `${name} of the recipe` : `Values of ${name} of the recipe`,
        ...(standard === undefined
          ? several !== '*' && { required: true }
          : several === '' && { default: constant }),
        unsafe: true,
      });
  }
  return { parameters, dropped };
}
