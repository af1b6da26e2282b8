import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { app, versionIn } from './project.ts';
import { expectTakenBack, inEveryRun, limit, openDeployment, sabotaged, start } from './deployment.ts';
import { sabotages } from './sabotages.ts';

describe('a deploy', () => {
  test('of a good version puts it into service, and says so', async () => {
    await using deployment = await openDeployment();
    const { project, home, deploy } = deployment;
    start(project.root);
    project.write('host/app.cjs', app('v2'));
    project.git('commit', '-aqm', 'Two');
    expect(await deploy()).toMatch(/^terminal\/cli: Deployed: the new version \([0-9a-f]{9}\) is running\.$/);
    expect(await versionIn(project.root)).toBe('v2');
    expect(project.git('rev-parse', 'in-service')).toBe(project.git('rev-parse', 'HEAD'));
    expect(readFileSync(home.path('data/deploy.log'), 'utf8')).toContain('the new version is healthy');
    expect(existsSync(join(project.root, '.git/pegboard-reserve'))).toBe(false);
  });

  test(`of ${inEveryRun} ends with the previous version running, and reports why`, () =>
    expectTakenBack(sabotages[inEveryRun]));

  test('does not begin when the running version is unknown', async () => {
    await using deployment = await openDeployment();
    rmSync(deployment.home.path('data/in-service.json'));
    const told = await sabotaged(deployment, { files: { 'host/app.cjs': app('v2') } });
    expect(told).toContain('the running version is unknown');
  });

  test.for([
    ['wrong types', '// type error', 'Not deployed: the types are wrong'],
    ['failing tests', '// failing test', 'Not deployed: the tests are wrong'],
  ] as const)('does not begin with %s', async ([, code, says]) => {
    await using deployment = await openDeployment();
    expect(await sabotaged(deployment, { files: { 'host/app.cjs': code } })).toContain(says);
  });

  test('does not begin with changes that are not committed, or during another deploy', async () => {
    await using deployment = await openDeployment();
    const { project, home } = deployment;
    project.write('.git/hooks/post-commit', '#!/bin/sh\necho >> tools/health.sh\n');
    chmodSync(join(project.root, '.git/hooks/post-commit'), 0o755);
    const files = { 'host/app.cjs': app('v2') };
    expect(await sabotaged(deployment, { files })).toMatch(/not committed[^]*tools\/health\.sh/);
    project.git('checkout', '-q', '.');
    writeFileSync(
      home.path('data/deploy.json'),
      JSON.stringify({ state: 'begun', tag: 'pre-deploy-x', pid: process.pid }),
    );
    expect(await deployment.deploy()).toContain('The deploy after pre-deploy-x is still under way');
  });

  test('does not begin when its tag is there already, or after three in an hour', async () => {
    await using deployment = await openDeployment();
    const { project, home } = deployment;
    const commit = project.git('rev-parse', 'HEAD');
    for (let second = 0; second < limit / 1000; second++) {
      const time = new Date(Date.now() + second * 1000).toISOString().slice(0, 19).replaceAll(/[-:]/g, '');
      project.write(`.git/refs/tags/pre-deploy-${time}`, commit);
    }
    const files = { 'host/app.cjs': app('v2') };
    expect(await sabotaged(deployment, { files })).toMatch(/tag 'pre-deploy-\w+' already exists/);
    writeFileSync(home.path('data/deploys.json'), JSON.stringify([1, 2, 3].map(() => Date.now())));
    expect(await deployment.deploy()).toContain('3 deploys in the last hour');
  });
});
