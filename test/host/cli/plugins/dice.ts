import { pegboard, pegboardJson, type CliResult } from '../../../kit/cli.ts';
import type { TestHome } from '../../../kit/homes/home.ts';

interface Listed {
  readonly plugins: readonly {
    readonly id: string;
    readonly version: string;
    readonly state: string;
    readonly source?: string;
    readonly problem?: string;
  }[];
}

/** Its tool says its version, and what the package `six` exports. */
export function dice(
  version: string,
  more: { readonly yaml?: string; readonly json?: object; readonly code?: string } = {},
) {
  const { yaml = '', json = {}, code = `import six from 'six';` } = more;
  return {
    'package.json': JSON.stringify({
      name: 'pegboard-plugin-dice',
      version,
      type: 'module',
      scripts: {
        preinstall: 'touch ran',
        install: 'touch ran',
        postinstall: 'touch ran',
        prepare: 'touch ran',
      },
      peerDependencies: { pegboard: '*' },
      dependencies: { six: '^1.0.0' },
      ...json,
    }),
    'plugin.yaml': `id: dice\nversion: "${version}"\ndescription: Rolls dice\npacks: { dice: { description: Dice, tools: [roll] } }\n${yaml}`,
    'index.ts': `${code}
      import { definePlugin, defineTool } from 'pegboard';
      const roll = defineTool({ name: 'roll', description: 'Rolls', parameters: { type: 'object' }, execute: () => \`${version}: \${six}\` });
      export default definePlugin({
        setup: (context) => {
          const tables = context.database(['create table dice_rolls (n integer) strict']);
          return { packs: { dice: [{ ...roll, execute: async () => { await tables.open(); return \`${version}: \${six}\`; } }] } };
        },
      });\n`,
  };
}

export const six = (ran: string): Readonly<Record<string, string>> => ({
  'package.json': JSON.stringify({
    name: 'six',
    version: '1.0.0',
    type: 'module',
    main: 'index.js',
    scripts: { postinstall: `touch ${ran}` },
  }),
  'index.js': 'export default 6;\n',
});

export const runIn =
  (home: TestHome, env: Readonly<Record<string, string>> = {}) =>
  (...args: string[]): Promise<CliResult> =>
    pegboard(args, { home: home.path, cwd: home.path, env });

export const diceIn = async (home: TestHome) =>
  (await pegboardJson<Listed>(['plugins', 'list'], { home: home.path })).plugins.find(
    ({ id }) => id === 'dice',
  );
