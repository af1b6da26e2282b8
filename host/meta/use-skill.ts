import { readdirSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import type { Skill } from '../api/agent.ts';
import type { Scope } from '../api/source.ts';
import type { Tool } from '../api/tool.ts';
import { PegboardError } from '../core/errors.ts';
import { nearest } from '../core/documents/nearest.ts';
import { textResult } from '../tools/result.ts';
import type { StructuredOutput, StructureOf } from '../tools/structure.ts';

interface Args {
  readonly name: string;
}

export interface SkillServices {
  /** The skills that a caller may use now. */
  readonly skills: (scope: Scope) => readonly Skill[];
}

/** Maximum number of files beside SKILL.md that a result lists. */
const maxFiles = 50;

const outputSchema = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    instructions: { type: 'string' },
    folder: { type: 'string', description: 'Absolute path of the folder that files are in.' },
    files: {
      type: 'array',
      items: { type: 'object', required: ['path'], properties: { path: { type: 'string' } } },
    },
    skills: {
      type: 'array',
      description: 'For the name "?".',
      items: {
        type: 'object',
        required: ['name', 'description'],
        properties: { name: { type: 'string' }, description: { type: 'string' } },
      },
    },
  },
} as const;

export function useSkill({ skills }: SkillServices): Tool<Args> {
  return {
    name: 'use_skill',
    description: 'Read the instructions of a skill before you do what it is for. name "?" lists all.',
    parameters: {
      type: 'object',
      properties: { name: { type: 'string' } },
      required: ['name'],
      additionalProperties: false,
    },
    outputSchema,
    annotations: { readOnlyHint: true, openWorldHint: false },
    execute({ name }, { scope }): StructuredOutput<typeof outputSchema> {
      const known = skills(scope);
      const wanted = name.trim().replace(/^\//, '');
      const skill = known.find((one) => one.name === wanted);
      if (skill) return textResult(...written(skill));
      if (wanted !== '?') return refuse(wanted, known);
      return textResult(listed(known), {
        skills: known.map(({ name: each, description }) => ({ name: each, description })),
      });
    },
  };
}

function written({
  name,
  body,
  path,
}: Skill): readonly [text: string, structure: StructureOf<typeof outputSchema>] {
  const files = filesBeside(path);
  const parts = body.startsWith('# ') ? [body] : [`# ${name}`, body];
  if (files.length > 0) {
    const shown = files.slice(0, maxFiles).map((file) => `- ${file}`);
    const more = files.length > maxFiles ? [`- … ${files.length - maxFiles} more`] : [];
    parts.push([`Files of this skill, in ${dirname(path)}:`, ...shown, ...more].join('\n'));
  }
  const folder = dirname(path);
  const listing = files.map((file) => ({ path: join(folder, file) }));
  return [parts.join('\n\n'), { name, instructions: body, folder, files: listing }];
}

/** The other files of a skill that has a folder of its own. */
function filesBeside(path: string): readonly string[] {
  if (basename(path) !== 'SKILL.md') return [];
  const folder = dirname(path);
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((file) => file !== 'SKILL.md' && !/(^|\/)(\.|node_modules\/)/.test(file))
    .sort();
}

function refuse(wanted: string, known: readonly Skill[]): never {
  const names = known.map(({ name }) => name);
  const [near] = nearest(wanted, names);
  const hint = near === undefined ? '' : ` Did you mean "${near}"?`;
  throw new PegboardError(
    'PEG_INVALID_ARGUMENTS',
    `There is no skill "${wanted}".${hint} There are:\n${listed(known)}`,
    { data: { skills: names } },
  );
}

function listed(known: readonly Skill[]): string {
  if (known.length === 0) return 'There are no skills here.';
  return known.map(({ name, description }) => `- ${name}: ${description}`).join('\n');
}
