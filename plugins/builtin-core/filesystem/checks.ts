import { homedir } from 'node:os';
import type { Check } from 'pegboard';
import type { Roots } from './roots.ts';

/** Folders beside the home that file tools may use. */
export function rootChecks({ home, all }: Pick<Roots, 'home' | 'all'>): readonly Check[] {
  const others = all.filter((root) => root !== home);
  return others.map(({ path, real }): Check => {
    const isWide = homedir() === real || homedir().startsWith(real === '/' ? '/' : `${real}/`);
    if (!isWide) return { name: 'roots', status: 'ok', message: `file tools may also use ${path}` };
    return {
      name: 'roots',
      status: 'warning',
      message: `file tools may use all of ${path}, your keys and settings among it`,
      fix: 'name the folders in it that they need in plugins.builtin-core.config.roots in pegboard.yaml',
    };
  });
}
