import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { openHome } from '../kit/home.ts';
import { packageHost } from '../kit/installation.ts';
import type { Row, Section } from '../kit/section.ts';
import { interleaved, median } from '../kit/statistics.ts';

const rounds = 3;

export const registration: Section = {
  name: 'registration',
  title: 'Registration of manifests',
  about:
    'A new process each time, its modules loaded before the clock starts, nothing remembered from earlier runs. Direct: reading the Markdown files and parsing their front matter with js-yaml, nothing else. Pegboard: until the host of that home, from the built package, has every tool in its registry, checked and callable.',
  async measure() {
    const rows: Row[] = [];
    for (const manifests of [100, 1000, 10_000]) {
      using home = openHome({ manifests });
      const figures = await interleaved(rounds, {
        direct: async () => inNewProcess('read-manifests.ts', home.folder, manifests),
        pegboard: async () => inNewProcess('register-manifests.ts', home.folder, manifests, packageHost()),
      });
      rows.push({
        what: `${manifests.toLocaleString('en')} manifests`,
        unit: 'ms',
        direct: median(figures.direct),
        pegboard: median(figures.pegboard),
        ...(manifests === 10_000 && { target: { of: 'value', atMost: 1200 } as const }),
      });
    }
    return rows;
  },
};

/** Milliseconds, as printed by the program. */
function inNewProcess(program: string, home: string, manifests: number, ...more: string[]): number {
  const path = join(import.meta.dirname, '../programs', program);
  const printed = execFileSync(process.execPath, [path, home, String(manifests), ...more], {
    encoding: 'utf8',
  });
  return Number(printed);
}
