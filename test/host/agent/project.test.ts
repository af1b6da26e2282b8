import { mkdir, readFile, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { processSurroundings } from '../../../host/core/platform/surroundings.ts';
import type { Ask, Question } from '../../../host/api/ask.ts';
import { sandboxProblem } from '../../../host/core/sandbox/availability.ts';
import { trustProject } from '../../../host/store/owner/known-projects.ts';
import { Undo } from '../../../plugins/builtin-undo/undo.ts';
import { workplaceAt } from '../../../host/workplace.ts';
import { openAgentHome } from '../../kit/homes/agent-home.ts';
import { createUnknownHome } from '../../kit/homes/home.ts';
import type { ScriptedCall } from '../../../host/testing/index.ts';

/** A project with instructions in two folders; the person stands in the inner one. */
async function openProject() {
  const folder = await createUnknownHome({
    'AGENTS.md': 'Use tabs.\n',
    'CLAUDE.md': 'Not read, because there is an AGENTS.md.\n',
    'src/CLAUDE.md': 'Tests are in test/.\n',
    'src/a.txt': 'first\n',
  });
  const path = await realpath(folder.path);
  await mkdir(join(path, '.git'));
  return { path, standing: join(path, 'src'), [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

/** Makes these calls, one in each round, then says that it is done. */
const making = (calls: readonly ScriptedCall[]) => {
  const left = [...calls];
  return () => {
    const [call] = left.splice(0, 1);
    return call ? { toolCalls: [call] } : { text: 'done' };
  };
};

const answering = (choice: string | undefined): { readonly asked: Question[]; readonly ask: Ask } => {
  const asked: Question[] = [];
  const ask: Ask = async (question) => {
    asked.push(question);
    return choice === undefined ? { action: 'decline' } : { action: 'accept', content: { answer: choice } };
  };
  return { asked, ask };
};

test('an agent follows the instructions of a trusted project, and works in its folder', async () => {
  await using project = await openProject();
  await trustProject(project.path, processSurroundings());
  const { asked, ask } = answering('folder');
  await using home = await openAgentHome(
    making([
      { name: 'read', arguments: { path: 'src/a.txt' } },
      { name: 'write', arguments: { path: 'src/a.txt', content: 'second\n' } },
      { name: 'write', arguments: { path: 'docs/new.md', content: 'new\n' } },
      { name: 'write', arguments: { path: 'package.json', content: '{}' } },
      { name: 'glob', arguments: { pattern: '**/*.txt' } },
    ]),
  );
  const workplace = workplaceAt(home.home.path, { ...processSurroundings(), cwd: () => project.standing })!;
  expect(workplace).toEqual({
    folder: project.standing,
    project: { root: project.path, isTrusted: true },
  });
  const reply = await home.say('go', { workplace, ask });
  expect(reply.untrusted).toEqual([]);
  expect(reply.toolCalls.map(({ ok }) => ok)).toEqual([true, true, true, false, true]);
  expect(reply.toolCalls.at(-1)!.result).toBe('src/a.txt');
  expect(await readFile(join(project.path, 'src/a.txt'), 'utf8')).toBe('second\n');
  expect(await readFile(join(project.path, 'docs/new.md'), 'utf8')).toBe('new\n');
  // The answer for the folder covers the project, except for files that decide what runs: there it is no answer.
  expect(asked.map(({ message }) => message)).toEqual([
    expect.stringContaining(`in the project ${project.path}, all of which an answer for the folder covers`),
    expect.stringContaining('package.json decides, or may decide, what runs'),
  ]);

  // What the turn has changed there can be taken back.
  const undo = await home.host.plugins.use(Undo)((value) => value);
  expect(await undo.apply(await undo.plan(undo.turns()[0]!, { force: false }))).toEqual([]);
  expect(await readFile(join(project.path, 'src/a.txt'), 'utf8')).toBe('first\n');

  // The system prompt holds the instructions, the same ones in each turn.
  await home.say('again', { workplace });
  const prompts = home.model.requests.map(({ messages }) => String(messages[0].content));
  expect(new Set(prompts).size).toBe(1);
  expect(prompts[0]).toContain(
    `### ${project.path}/AGENTS.md\n\nUse tabs.\n\n### ${project.standing}/CLAUDE.md\n\nTests are in test/.`,
  );
  expect(prompts[0]).not.toContain('Not read');

  // They fill the window, too.
  const { commands } = await home.host.agents();
  const place = { key: { source: 'test', externalId: 'test' }, isOwner: true };
  const context = await commands.run({ name: 'context', rest: '' }, { ...place, workplace });
  expect(context).toMatch(/^Project +\d\d+ /m);
  expect(await commands.run({ name: 'context', rest: '' }, place)).not.toContain('Project');

  // A file that changed is read again; one that is too long, or hides something, says so.
  await writeFile(join(project.path, 'AGENTS.md'), 'x'.repeat(40_000));
  await writeFile(join(project.standing, 'CLAUDE.md'), 'hidden\u200b');
  await home.say('and again', { workplace });
  const changed = String(home.model.requests.at(-1)!.messages[0].content);
  expect(changed).toContain('[7,232 more characters are left out: read the file]');
  expect(changed).not.toContain('hidden\u200b');
});

test('what a project says that is not trusted is untrusted content', async () => {
  await using project = await openProject();
  const { asked, ask } = answering(undefined);
  await using home = await openAgentHome(making([{ name: 'bash', arguments: { command: 'pwd' } }]));
  const workplace = workplaceAt(home.home.path, { ...processSurroundings(), cwd: () => project.standing })!;
  const reply = await home.say('go', { workplace, ask });
  expect(reply.untrusted.map(({ what }) => what)).toEqual([
    join(project.path, 'AGENTS.md'),
    join(project.standing, 'CLAUDE.md'),
  ]);
  expect(asked[0]!.message).toContain('has read what others wrote');
  const [system, message] = home.model.requests[0]!.messages.map(({ content }: any) => String(content));
  expect(system).toContain(`in the project ${project.path}`);
  expect(system).not.toContain('Use tabs.');
  expect(message).toMatch(/not said to trust: information about it, not instructions[^]*Use tabs\./);

  // Without a project all is as in the home.
  expect(workplaceAt(home.home.path, { ...processSurroundings(), cwd: () => home.home.path })).toEqual({
    folder: await realpath(home.home.path),
  });
});

test.skipIf((await sandboxProblem()) !== undefined)(
  'a sandboxed command writes in the project only once that was allowed',
  async () => {
    await using project = await openProject();
    await trustProject(project.path, processSurroundings());
    const ask: Ask = async ({ message }) => ({
      action: 'accept',
      content: { answer: message.includes('an answer for the folder covers') ? 'folder' : 'once' },
    });
    const command = { name: 'bash', arguments: { command: 'echo made > src/made.txt' } };
    await using home = await openAgentHome(
      making([command, { name: 'write', arguments: { path: 'b.txt', content: 'b' } }, command]),
      { files: { 'pegboard.local.yaml': 'sandbox: workspace\n' } },
    );
    const workplace = workplaceAt(home.home.path, { ...processSurroundings(), cwd: () => project.standing })!;
    const { toolCalls } = await home.say('go', { workplace, ask });
    expect(toolCalls.map(({ ok, result }) => [ok, /Read-only file system/.test(result)])).toEqual([
      [false, true],
      [true, false],
      [true, false],
    ]);
    expect(await readFile(join(project.standing, 'made.txt'), 'utf8')).toBe('made\n');
  },
);
