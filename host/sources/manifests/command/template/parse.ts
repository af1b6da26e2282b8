import type { MaybePromise } from '../../../../api/result.ts';
import { parsePlain } from './parse-plain.ts';
import { refuse } from '../refusal.ts';
import { limits, type Parameters, type TemplateNode } from './template.ts';

const longMustache = new RegExp(`\\{\\{[^}]{${limits.mustache}}`);

/**
 * A template as literals, declared values and blocks. Handlebars' parser takes 17 ms to load and 20 µs and more for a
 * template, so it reads only the templates that need it; then a promise is returned.
 */
export function parseTemplate(
  template: string,
  parameters: Parameters,
): MaybePromise<readonly TemplateNode[]> {
  checkSize(template);
  return (
    parsePlain(template, parameters) ??
    import('./parse-handlebars.ts').then(({ parseHandlebars }) => parseHandlebars(template, parameters))
  );
}

/** Handlebars' parser needs 12 s for 5,000 nested levels, so its input is limited. */
function checkSize(template: string): void {
  if (template.length > limits.template)
    refuse(
      'template-too-long',
      `the command has ${template.length} characters, and may have at most ${limits.template}; put it in a script file`,
    );
  const nul = template.indexOf('\0');
  if (nul >= 0) refuse('nul-in-template', 'the command contains a NUL byte', nul);
  const reserved = template.includes('_peg') ? template.search(/_peg\d/) : -1;
  if (reserved >= 0)
    refuse(
      'reserved-name',
      'names that begin with _peg and a digit are used by Pegboard itself; choose another',
      reserved,
    );
  const mustaches = countMustaches(template);
  if (mustaches > limits.mustaches)
    refuse(
      'template-too-complex',
      `the command has ${mustaches} expressions, and may have at most ${limits.mustaches}; put it in a script file`,
    );
  const long = template.length < limits.mustache ? -1 : template.search(longMustache);
  if (long >= 0)
    refuse(
      'template-too-complex',
      `an expression is longer than ${limits.mustache} characters, or its "}}" is missing`,
      long,
    );
}

function countMustaches(template: string): number {
  let count = 0;
  for (let at = template.indexOf('{{'); at >= 0; at = template.indexOf('{{', at + 2)) count++;
  return count;
}
