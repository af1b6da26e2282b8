import type { Skill } from '../../api/agent.ts';
import type { Diagnostic } from '../../api/diagnostic.ts';
import type { Boundary } from '../../core/files/links.ts';
import { missingRequirements, type Platform } from '../../core/requirements.ts';
import type { SkillRequirements } from '../../formats/skill.ts';
import { findSkills, readSkill } from '../../sources/manifests/files/skill-files.ts';
import { createFileReader } from '../file-reader.ts';

/** A readable skill, whether or not its requirements are met. */
export interface LoadedSkill {
  readonly skill: Skill;
  readonly requires: SkillRequirements;
}

export interface SkillFolder {
  readonly skills: readonly LoadedSkill[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads a folder of skills repeatedly. Unchanged files are not parsed again, and broken ones keep their last good
 * version.
 */
export function createSkillReader(
  folder: string,
  boundary: Boundary,
): {
  read(isLeftOut?: (path: string) => boolean): Promise<SkillFolder>;
} {
  const reader = createFileReader(boundary, async (text, path) => {
    const { skill: written, diagnostics } = await readSkill(text, path);
    if (!written) return { value: undefined, diagnostics };
    const { requires, ...skill } = written;
    return { value: { skill, requires }, diagnostics };
  });
  return {
    async read(isLeftOut = () => false) {
      const diagnostics: Diagnostic[] = [];
      const skills: LoadedSkill[] = [];
      for (const path of findSkills(folder)) {
        if (isLeftOut(path)) continue;
        const file = await reader.read(path);
        if (!file) continue;
        diagnostics.push(...file.diagnostics);
        if (!file.value) continue;
        const { name } = file.value.skill;
        const rival = skills.find(({ skill }) => skill.name === name);
        if (rival) diagnostics.push(duplicateSkill(name, path, rival.skill.path));
        else skills.push(file.value);
      }
      return { skills, diagnostics };
    },
  };
}

/** The current environment that skills may require. */
export interface SkillEnvironment {
  readonly environment: Platform;
  /** A variable of the environment, or a secret. */
  readonly resolve: (name: string) => string | undefined;
  readonly hasTool: (name: string) => boolean;
}

/** What is missing, each as a phrase that says what to do; empty means that the skill can be followed. */
export function missingFor(requires: SkillRequirements, surroundings: SkillEnvironment): readonly string[] {
  const { environment, resolve, hasTool } = surroundings;
  const { tools = [], ...others } = requires;
  return [
    ...missingRequirements(others, environment, resolve),
    ...tools.filter((name) => !hasTool(name)).map((name) => `there is no tool ${name}`),
  ];
}

function duplicateSkill(name: string, path: string, rival: string): Diagnostic {
  return {
    severity: 'error',
    code: 'duplicate-skill',
    message: `there are two skills "${name}": ${rival} is used, this one is not`,
    path,
    hint: 'give one of them another name',
  };
}
