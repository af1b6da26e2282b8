import { dirname, join } from 'node:path';
import type { Skill } from '../../api/agent.ts';
import type { Diagnostic } from '../../api/diagnostic.ts';
import { createSkillReader, missingFor, type LoadedSkill, type SkillEnvironment } from './read-skill.ts';
import type { Space } from '../space.ts';

export interface SkillCatalogOptions extends SkillEnvironment {
  /** The home: links among the files of plugins may lead there. */
  readonly home: string;
  /** The folders of the running plugins. */
  readonly pluginFolders: () => readonly string[];
}

/** The skills of plugins, and which skills are currently available. */
export interface SkillCatalog {
  /** Rereads the skills of plugins. */
  read(): Promise<void>;
  /** The available skills of `own` and of plugins. A space's own skill hides a plugin's with the same name. */
  offered(own: readonly LoadedSkill[], hasTool: (name: string) => boolean): readonly Skill[];
  /** Mistakes in skills of plugins, and missing requirements of any skill. */
  diagnosticsOf(spaces: readonly Space[]): readonly Diagnostic[];
}

export function createSkillCatalog(options: SkillCatalogOptions): SkillCatalog {
  const readers = new Map<string, ReturnType<typeof createSkillReader>>();
  let shared: readonly LoadedSkill[] = [];
  let problems: readonly Diagnostic[] = [];

  const readerOf = (folder: string): ReturnType<typeof createSkillReader> => {
    let reader = readers.get(folder);
    if (!reader) readers.set(folder, (reader = createSkillReader(folder, [options.home, dirname(folder)])));
    return reader;
  };
  return {
    async read() {
      const folders = options.pluginFolders().map((folder) => join(folder, 'skills'));
      for (const folder of readers.keys()) if (!folders.includes(folder)) readers.delete(folder);
      const found = await Promise.all(folders.map((folder) => readerOf(folder).read()));
      shared = found.flatMap(({ skills }) => skills);
      problems = found.flatMap(({ diagnostics }) => diagnostics);
    },
    offered(own, hasTool) {
      const byName = new Map<string, Skill>();
      for (const { skill, requires } of [...own, ...shared]) {
        if (byName.has(skill.name) || missingFor(requires, { ...options, hasTool }).length > 0) continue;
        byName.set(skill.name, skill);
      }
      return [...byName.values()];
    },
    diagnosticsOf(spaces) {
      const all = [...spaces.flatMap(({ skills }) => skills), ...shared];
      return [...problems, ...all.flatMap((one) => unavailable(one, options))];
    },
  };
}

function unavailable(
  { skill, requires }: LoadedSkill,
  surroundings: SkillEnvironment,
): readonly Diagnostic[] {
  const missing = missingFor(requires, surroundings);
  if (missing.length === 0) return [];
  return [
    {
      severity: 'warning',
      code: 'skill-unavailable',
      message: `the skill ${skill.name} is not offered: ${missing.join('; ')}`,
      path: skill.path,
    },
  ];
}
