import type { Check, PluginContext } from 'pegboard';
import { realPathOf } from 'pegboard/files';
import { relativePathIn, type Roots } from './roots.ts';

/** Reports folders outside the home that file tools may use, and warns about those that are too broad. */
export function rootChecks(
  { home, listed }: Pick<Roots, 'home' | 'listed'>,
  { installation, surroundings: { userHome } }: Pick<PluginContext, 'installation' | 'surroundings'>,
): readonly Check[] {
  return listed.map(({ path, write }): Check => {
    const holds = (folder: string): boolean => relativePathIn(path, realPathOf(folder)) !== undefined;
    if (write === 'free' && (holds(userHome) || holds(home.real) || holds(installation))) {
      const what = holds(userHome) ? 'your keys and settings' : 'Pegboard itself';
      return {
        name: 'roots',
        status: 'warning',
        message: `agents write to all of ${path} without asking, including ${what}`,
        fix: 'name the folders in it that they work in, or leave "write: free" out, in plugins.builtin-core.config.roots in pegboard.yaml',
      };
    }
    if (holds(userHome)) {
      return {
        name: 'roots',
        status: 'warning',
        message: `file tools may use all of ${path}, including your keys and settings`,
        fix: 'name the folders in it that they need in plugins.builtin-core.config.roots in pegboard.yaml',
      };
    }
    const how = write === 'free' ? 'use, and agents write to without asking,' : 'also use';
    return { name: 'roots', status: 'ok', message: `file tools may ${how} ${path}` };
  });
}
