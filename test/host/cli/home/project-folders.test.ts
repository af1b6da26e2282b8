import { appendFile, mkdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { processSurroundings } from '../../../../host/core/platform/surroundings.ts';
import { createHost } from '../../../../host/create-host.ts';
import { rememberHome } from '../../../../host/store/owner/known-homes.ts';
import { modelsOf, startScriptedModel } from '../../../../host/testing/index.ts';
import { pegboard } from '../../../kit/cli.ts';
import { createUnknownHome } from '../../../kit/homes/home.ts';
import { keys, startOnTerminal } from '../../../kit/pty.ts';

/** A user with a model in their own home, whose key is a secret of it, and a project. */
async function openUser() {
  await using opened = new AsyncDisposableStack();
  const model = opened.use(await startScriptedModel((_request, index) => ({ text: `answer ${index}.` })));
  const { default: name, providers } = modelsOf(model);
  const folder = opened.use(
    await createUnknownHome({
      '.pegboard/pegboard.yaml': '',
      '.pegboard/data/state.json': JSON.stringify({ reloads: {}, declined: ['setup'] }),
      'app/AGENTS.md': 'Use tabs.\n',
      'app/src/main.ts': '',
    }),
  );
  const user = await realpath(folder.path);
  await rm(join(user, 'pegboard.yaml'));
  const env = { HOME: user, MODEL_KEY: undefined };
  await mkdir(join(user, 'app/.git'));
  const run = (cwd: string, ...args: readonly string[]) => pegboard(args, { cwd: join(user, cwd), env });
  expect(await run('.', 'trust', '--yes')).toMatchObject({ code: 0 });
  expect(
    await pegboard(['secret', 'set', 'MODEL_KEY'], { cwd: user, env, input: 'key-of-the-user\n' }),
  ).toMatchObject({ code: 0 });
  const models = {
    default: name,
    providers: { scripted: { ...providers['scripted'], api_key: '${MODEL_KEY}' } },
  };
  await writeFile(join(user, '.pegboard/pegboard.yaml'), JSON.stringify({ models }));
  const owned = opened.move();
  return { user, env, model, run, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

test('pegboard in a project asks once whether it is trusted, and its agent reads AGENTS.md', async () => {
  await using place = await openUser();
  const { user, env, model } = place;
  const cwd = join(user, 'app/src');
  {
    await using chat = startOnTerminal([], { cwd, env });
    expect(await chat.next(/as if you had written it\?/)).toContain(`${user}/app/AGENTS.md`);
    chat.child.stdin.write('y');
    const greeting = await chat.next(/reads AGENTS\.md/);
    expect(greeting).toContain(`${user}/.pegboard ·`);
    expect(greeting).toContain(`project ${user}/app · reads AGENTS.md`);
    chat.child.stdin.write(`hello${keys.enter}`);
    await chat.next(/answer 0\./);
    chat.child.stdin.write(keys.ctrlD);
    expect((await chat.ended).code).toBe(0);
  }
  expect(model.requests[0]!.messages[0].content).toContain('Use tabs.');
  await using again = startOnTerminal(['chat', 'hello'], { cwd, env });
  expect(await again.next(/answer 1\./)).not.toContain('Trust');
});

test("a project's own home is used in the project, with the user's models, and asked about when others change it", async () => {
  await using place = await openUser();
  const { user, env, model, run } = place;
  expect((await run('app', 'init', '--project')).stdout).toContain('+ spaces/project/agent/tools/files.md');
  const file = (name: string) => join(user, 'app/.pegboard', name);
  expect(await run('app/src', 'call', 'files')).toMatchObject({ code: 0, stdout: 'main.ts\n' });

  // Nothing of the user's own home but its models.
  await writeFile(file('data/state.json'), JSON.stringify({ reloads: {}, declined: ['setup'] }));
  {
    await using chat = startOnTerminal([], { cwd: join(user, 'app/src'), env });
    const greeting = await chat.next(/reads AGENTS\.md/);
    expect(greeting).toContain(`${user}/app/.pegboard ·`);
    chat.child.stdin.write(`hello${keys.enter}`);
    await chat.next(/answer 0\./);
    chat.child.stdin.write(keys.ctrlD);
    expect((await chat.ended).code).toBe(0);
  }
  expect(model.requests[0]!.messages[0].content).toContain('Use tabs.');
  expect((await run('app', 'secret', 'list')).stdout).not.toContain('MODEL_KEY');
  // Its own commands keep it trusted.
  expect((await run('app', 'mcp', 'add', 'absent', '--', 'no-such-program')).code).toBeLessThanOrEqual(1);
  expect(await run('app/src', 'call', 'files')).toMatchObject({ code: 0 });

  // Somebody else's changes, as by git pull.
  await appendFile(file('pegboard.yaml'), '\noutput: { limit: 5000 }\n');
  expect(await run('app', 'call', 'files')).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('pegboard.yaml of the home') as string,
  });
  const asked = await run('app', 'trust', '--yes');
  expect(asked.stderr).toContain('pegboard.yaml changed since you trusted this home.');
  expect(asked.stderr).toContain('tool spaces/project/agent/tools/files.md: ls -A');
  await appendFile(file('spaces/project/agent/tools/files.md'), '\nMore.\n');
  const waiting = await run('app', 'call', 'files');
  expect(waiting.code).toBe(3);
  expect(waiting.stderr).toContain('files is pending approval: it is not what was approved.');
  expect(await run('app', 'approvals', 'allow', 'spaces/project', '--yes')).toMatchObject({ code: 0 });
  expect((await run('app', 'call', 'files')).code).toBe(0);

  // With models of its own, none of the user's.
  const own = (key: string): string =>
    `\nmodels: { default: openai/model, providers: { openai: { base_url: "${model.baseUrl}"${key} } } }\n`;
  const before = await readFile(file('pegboard.yaml'), 'utf8');
  const withKey = { ...env, OPENAI_API_KEY: 'of-the-shell' };
  for (const [key, sent] of [
    ['', undefined],
    [', api_key: "${OPENAI_API_KEY}"', 'Bearer of-the-shell'],
  ] as const) {
    await writeFile(file('pegboard.yaml'), before + own(key));
    await run('app', 'trust', '--yes');
    await pegboard(['chat', 'hello'], { cwd: join(user, 'app'), env: withKey });
    expect(model.headers.at(-1)!.authorization, key).toBe(sent);
  }
  const requests = model.requests.length;
  await writeFile(file('pegboard.yaml'), `${before}\nmodels: { default: scripted/model }\n`);
  await run('app', 'trust', '--yes');
  expect((await run('app', 'chat', 'hello')).stderr).toContain('scripted');
  expect(model.requests).toHaveLength(requests);
});

test("a running host goes on with the configuration of a project's home that was trusted", async () => {
  await using folder = await createUnknownHome({ '.pegboard/pegboard.yaml': 'name: first\n' });
  const home = join(folder.path, '.pegboard');
  const change = (name: string) => writeFile(join(home, 'pegboard.yaml'), `name: ${name}\n`);
  await rememberHome(home, processSurroundings());
  await using host = await createHost({ home });
  await change('second');
  await host.reloadConfig();
  expect(host.config.name).toBe('first');
  expect(host.diagnostics).toContainEqual(
    expect.objectContaining({
      code: 'changed-home',
      message: expect.stringContaining('pegboard.yaml changed'),
    }),
  );
  await rememberHome(home, processSurroundings());
  await host.reloadConfig();
  expect(host.config.name).toBe('second');
  expect(host.diagnostics.filter(({ code }) => code === 'changed-home')).toEqual([]);
  await change('third');
  await expect(createHost({ home })).rejects.toMatchObject({ code: 'PEG_UNKNOWN_HOME' });
});
