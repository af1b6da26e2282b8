import { expect, test } from 'vitest';
import { upgradeCommand } from '../../../../plugins/builtin-self/upgrade/packaged.ts';

test.each([
  ['/usr/local/lib/node_modules/pegboard', 'npm install --global --prefix /usr/local NEW'],
  ['/home/ada/my tools/lib/node_modules/pegboard', "npm install --global --prefix '/home/ada/my tools' NEW"],
  ['/home/ada/project/node_modules/pegboard', 'npm install --prefix /home/ada/project NEW'],
  ['/home/ada/.npm/_npx/1a2b/node_modules/pegboard', 'npx NEW'],
  ['/home/ada/.local/share/pnpm/global/5/node_modules/pegboard', 'pnpm add --global NEW'],
  ['/home/ada/.bun/install/global/node_modules/pegboard', 'bun add --global NEW'],
])('a package in %s is upgraded where it lies', (root, command) => {
  expect(upgradeCommand(root, 'NEW')).toBe(command);
});
