import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Question } from '../../../host/api/ask.ts';
import { textOf } from '../../../host/tools/result.ts';
import { openPluginHome, owner, type PluginHome } from '../../kit/homes/plugin-home.ts';
import {
  guardedSource,
  guardedTests,
  ownFolders,
  writableFolders,
} from '../../../plugins/builtin-self/project.ts';
import { openAgentHome } from '../../kit/homes/agent-home.ts';
import { repository } from '../../kit/homes/clone.ts';
import { createProject } from './project.ts';

const yes = { ...owner, confirm: 'never' } as const;

function openHome(root: string): Promise<PluginHome> {
  return openPluginHome({
    settings: { 'builtin-self': { config: { projectRoot: root } } },
    environment: { PATH: process.env['PATH'] },
  });
}

describe('an agent and its own source', () => {
  test('reads what belongs to the project, and nothing else', async () => {
    const { root } = createProject();
    await using home = await openHome(root);
    expect(textOf(await home.call('self_read_source', { path: 'host/app.cjs' }))).toContain('v1');
    expect(textOf(await home.call('self_read_source', { path: 'host' }))).toContain('dispatch/');
    for (const path of [
      '/etc/passwd',
      '../x',
      'data/secrets/secrets.json',
      '.git/config',
      'node_modules/x',
      '.env',
    ])
      expect((await home.call('self_read_source', { path })).error?.code).toBe('PEG_DENIED');
  });

  test('edits by a commit, after a person has seen the diff', async () => {
    const { root, git } = createProject();
    await using home = await openHome(root);
    let shown = '';
    const edit = { path: 'host/app.cjs', old_string: `'v1'`, new_string: `'v2'`, message: 'Say version two' };
    const refused = await home.call('self_edit_source', edit);
    expect(refused.error?.code).toBe('PEG_NOBODY_TO_ASK');
    const result = await home.call('self_edit_source', edit, {
      ask: (question) => {
        shown = question.detail ?? '';
        return Promise.resolve({ action: 'accept', content: { answer: 'once' } });
      },
    });
    expect(result.error).toBeUndefined();
    expect(shown).toMatch(/^host\/app\.cjs {2}\(Say version two\)\n@@ line 1 @@\n[^]*\n-.*'v1'.*\n\+.*'v2'/);
    expect(git('log', '-1', '--format=%s')).toBe('Say version two\n');
    expect(readFileSync(join(root, 'host/app.cjs'), 'utf8')).toContain('v2');
  });

  test('cannot touch what guards it, nor edit what is ambiguous', async () => {
    const { root } = createProject();
    await using home = await openHome(root);
    const edit = (path: string, old_string: string) =>
      home.call('self_edit_source', { path, old_string, new_string: 'x', message: 'whatever' }, yes);
    for (const path of [
      'host/dispatch/confirm.ts',
      'test/host/dispatch/confirm.test.ts',
      'host/store/owner/trust.ts',
      'test/host/store/owner/trust.test.ts',
      'plugins/builtin-self/deploy.ts',
      'package.json',
      'package-lock.json',
      '../x',
    ])
      expect((await edit(path, 'export')).error?.code).toBe('PEG_DENIED');
    expect((await edit('host/app.cjs', 'nowhere to be found')).error?.message).toContain(
      'old_string is not in it',
    );
    expect((await edit('host/app.cjs', 'e')).error?.message).toMatch(/\d+ times/);
  });

  test("edits the home's own with the place, Pegboard itself with the whole difference, and is asked each time", async () => {
    const { root, write, git } = createProject();
    for (const path of [
      'docs/a.md',
      'plugins/mine/index.ts',
      'plugins/builtin-x/index.ts',
      'host/agent/x.ts',
    ])
      write(path, `${'line\n'.repeat(100)}old\n${'line\n'.repeat(100)}`);
    git('add', '-A');
    git('commit', '-qm', 'More');
    await using home = await openHome(root);
    const questions: Question[] = [];
    const edit = (path: string, new_string: string) =>
      home.call(
        'self_edit_source',
        { path, old_string: 'old\n', new_string, message: 'whatever' },
        {
          conversation: 'one',
          ask: async (question) => {
            questions.push(question);
            return { action: 'accept', content: { answer: 'always' } };
          },
        },
      );
    const added = 'new\n'.repeat(90);
    for (const path of [
      'docs/a.md',
      'plugins/mine/index.ts',
      'plugins/builtin-x/index.ts',
      'host/agent/x.ts',
    ])
      await edit(path, `old\n${added}`);
    expect(questions.map(({ schema }) => schema)).toEqual(Array(4).fill(undefined));
    expect(questions.map(({ detail }) => detail!.split('\n')[0])).toEqual([
      'docs/a.md:101  (whatever)',
      'plugins/mine/index.ts:101  (whatever)',
      'plugins/builtin-x/index.ts  (whatever)',
      'host/agent/x.ts  (whatever)',
    ]);
    for (const { detail } of questions) expect(detail!.match(/^\+ ?new$/gm)).toHaveLength(90);
    expect(
      (
        await home.call('self_edit_source', {
          path: 'docs/a.md',
          old_string: 'old',
          new_string: 'x',
          message: 'again',
        })
      ).error?.code,
    ).toBe('PEG_NOBODY_TO_ASK');
  });

  test('follows no link to what guards it', async () => {
    const { root, write } = createProject();
    write('docs/a.md', '');
    symlinkSync('../host/dispatch', join(root, 'docs/way'));
    await using home = await openHome(root);
    for (const path of [
      'docs/way/new.ts',
      'docs/way/confirm.ts',
      'docs/../host/dispatch/new.ts',
      'spaces/x/.git/config',
    ])
      expect(
        (
          await home.call(
            'self_edit_source',
            { path, old_string: '', new_string: 'x', message: 'whatever' },
            yes,
          )
        ).error?.code,
        path,
      ).toBe('PEG_DENIED');
  });

  test('docs/self.md names exactly what it cannot change', () => {
    const page = readFileSync(join(repository, 'docs/self.md'), 'utf8');
    const listed = [...page.matchAll(/^- `([^`]+)`$/gm)].map(([, path]) => path);
    expect(listed).toEqual([...guardedSource, ...guardedTests]);
    expect(listed.filter((path) => !existsSync(join(repository, path!)))).toEqual([]);
    for (const folder of [...ownFolders, ...writableFolders]) expect(page).toContain(`\`${folder}/\``);
  });

  test('may not edit after the user has said no', async () => {
    const { root } = createProject();
    await using home = await openHome(root);
    const edit = { path: 'host/new.ts', old_string: '', new_string: 'export {};\n', message: 'A new file' };
    const no = await home.call('self_edit_source', edit, {
      ask: () => Promise.resolve({ action: 'decline' }),
    });
    expect(no.error?.code).toBe('PEG_DECLINED');
    expect((await home.call('self_edit_source', edit, yes)).error?.message).toContain(
      'just rejected something',
    );
    expect(existsSync(join(root, 'host/new.ts'))).toBe(false);
  });

  test.each([
    ['a button that says No', { action: 'accept', content: { answer: 'No' } }],
    ['a declined question', { action: 'decline' }],
  ] as const)('may not edit after %s in Telegram either', async (_how, answer) => {
    const { root } = createProject();
    await using home = await openPluginHome({
      settings: { 'builtin-self': { config: { projectRoot: root } } },
      environment: { PATH: process.env['PATH'], TELEGRAM_BOT_TOKEN: '1:x' },
    });
    const question = { question: 'Shall I change it?', choices: ['Yes', 'No'] };
    const asked = await home.call('telegram_ask', question, {
      scope: { identity: 'host', access: {}, channel: 'telegram' },
      ask: () => Promise.resolve(answer),
    });
    expect(asked.structured).toMatchObject({ rejected: true });
    const edit = { path: 'host/new.ts', old_string: '', new_string: 'export {};\n', message: 'A new file' };
    expect((await home.call('self_edit_source', edit, yes)).error?.message).toContain(
      'just rejected something',
    );
  });

  test('reports what is pending approval after a reload', async () => {
    await using home = await openAgentHome(
      [{ toolCalls: [{ name: 'extension_reload', arguments: {} }] }, {}],
      {
        files: {
          'plugins/dice/plugin.yaml': 'id: dice\nversion: 1.0.0\ndescription: Rolls dice.\n',
          'plugins/dice/index.ts': 'export default {};\n',
        },
      },
    );
    const { toolCalls } = await home.say('Reload', { confirm: 'never' });
    expect(toolCalls[0]?.result).toMatch(/^Reloaded\.\nPending approval: .*dice/);
  });

  test('runs its tests, looks at its log and its health, and puts the log aside', async () => {
    const { root } = createProject();
    await using home = await openHome(root);
    expect(textOf(await home.call('self_run_tests', { filter: 'abc' }))).toContain(
      'all passed run --reporter=verbose -t abc',
    );
    execFileSync('mkdir', ['-p', home.path('data/logs')]);
    writeFileSync(
      home.path('data/logs/host.log'),
      '2026-01-01T00:00:00Z old\n2026-01-02T00:00:00Z new Error\n',
    );
    expect(textOf(await home.call('self_view_logs', { since: '2026-01-01T12:00Z', grep: 'error' }))).toBe(
      '2026-01-02T00:00:00Z new Error',
    );
    const status = await home.call('self_system_status', { rotate_log: true });
    expect(status.structured).toMatchObject({
      cpu: { cores: expect.any(Number) as number },
      uptime: { host: expect.any(Number) as number },
    });
    expect(existsSync(home.path('data/logs/host.log'))).toBe(false);
  });

  test('has no tools for its source where there is no checkout, and no deploy in development', async () => {
    await using packaged = await openPluginHome({
      settings: { 'builtin-self': { config: { projectRoot: '/tmp' } } },
    });
    expect(packaged.registry.snapshot.find('self_edit_source')).toBeUndefined();
    expect(packaged.registry.snapshot.find('extension_reload')).toBeDefined();
    const { root } = createProject();
    await using home = await openHome(root);
    expect(home.registry.snapshot.find('self_deploy')).toBeUndefined();
  });
});
