import { rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commitInService, noteInService } from '../../../plugins/builtin-self/in-service.ts';
import { temporaryFolder } from '../../kit/homes/plugin-home.ts';
import { createProject, type TestProject } from './project.ts';

async function noted({ root }: TestProject): Promise<string> {
  const home = temporaryFolder();
  await noteInService({ root, env: process.env }, home);
  return commitInService(root, home)!;
}

test('the running version is recorded in a checkout whose files were copied, and next to another git', async () => {
  const project = createProject();
  const head = project.git('rev-parse', 'HEAD').trim();
  utimesSync(join(project.root, 'package.json'), 1, 1);
  writeFileSync(join(project.root, '.git/index.lock'), '');
  expect(await Promise.all([noted(project), noted(project)])).toEqual([head, head]);
  rmSync(join(project.root, '.git/index.lock'));
  expect(project.git('rev-parse', 'in-service').trim()).toBe(head);
});

test('uncommitted changes are part of the running version, and stay as they are', async () => {
  const project = createProject();
  project.write('package.json', '{ "name": "changed" }');
  project.write('host/new.ts', 'export {};\n');
  project.git('add', 'host/new.ts');
  const before = project.git('status', '--porcelain');
  const commit = await noted(project);
  expect(project.git('show', `${commit}:package.json`)).toBe('{ "name": "changed" }');
  expect(project.git('show', `${commit}:host/new.ts`)).toBe('export {};\n');
  expect(project.git('rev-parse', `${commit}^`)).toBe(project.git('rev-parse', 'HEAD'));
  expect(project.git('status', '--porcelain')).toBe(before);
});
