import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Skill } from '../../../../host/api/agent.ts';
import { createHost } from '../../../../host/create-host.ts';
import type { Host } from '../../../../host/host.ts';
import { chooseSkills } from '../../../../host/spaces/skills/choose-skills.ts';
import { withSkillList } from '../../../../host/spaces/skills/list-skills.ts';
import { selectSkills } from '../../../../host/spaces/skills/choose-skills.ts';
import { textOf } from '../../../../host/tools/result.ts';
import { createHome, type TestHome } from '../../../kit/homes/home.ts';

const skill = (name: string, more = '', body = `How to ${name}.`): string =>
  `---\nname: ${name}\ndescription: About ${name}\n${more}---\n\n${body}\n`;

async function open(
  files: { readonly [file: string]: string },
  environment: NodeJS.ProcessEnv = {},
): Promise<{ readonly home: TestHome; readonly host: Host } & AsyncDisposable> {
  const home = await createHome(files);
  const host = await createHost({
    home: home.path,
    development: true,
    environment: { PATH: process.env['PATH'], ...environment },
  });
  return {
    home,
    host,
    async [Symbol.asyncDispose]() {
      await host[Symbol.asyncDispose]();
      await home[Symbol.asyncDispose]();
    },
  };
}

const namesFor = ({ spaces }: Host, agent?: string): string[] =>
  spaces.skillsOf(spaces.agentFor(agent)).map(({ name }) => name);
const use = (host: Host, name: string, agent?: string) =>
  host.dispatch({ name: 'use_skill', args: { name }, scope: host.scopeFor(agent), caller: 'test' });

const plugin = {
  'plugins/p/plugin.yaml': 'id: p\nversion: "1.0.0"\ndescription: Brings skills\n',
  'plugins/p/index.ts': 'export default { setup() {} };\n',
};

describe('skills of a home', () => {
  test('are files and folders of a space, and those of plugins; each agent is offered its own and theirs', async () => {
    await using opened = await open({
      ...plugin,
      'plugins/p/skills/shared.md': skill('shared'),
      'plugins/p/skills/standup.md': skill('standup', '', 'The plugin says so.'),
      'spaces/personal/agent/skills/standup.md': skill('standup', '', 'My own way.'),
      'spaces/personal/agent/skills/README.md': 'About these skills.\n',
      'spaces/work/agent/skills/release/SKILL.md': skill(
        'release',
        'license: MIT\nallowed-tools: Bash(git:*)\n',
      ),
      'spaces/work/agent/skills/release/scripts/tag.sh': 'git tag\n',
    });
    const { host, home } = opened;
    expect(host.spaces.diagnostics).toEqual([]);
    expect(namesFor(host)).toEqual(['standup', 'shared']);
    expect(namesFor(host, 'work')).toEqual(['release', 'shared', 'standup']);
    expect(textOf(await use(host, 'standup'))).toContain('My own way.');
    expect(textOf(await use(host, 'standup', 'work'))).toContain('The plugin says so.');
    const folder = join(home.path, 'spaces/work/agent/skills/release');
    expect(textOf(await use(host, 'release', 'work'))).toBe(
      `# release\n\nHow to release.\n\nFiles of this skill, in ${folder}:\n- scripts/tag.sh`,
    );
    const { error } = await use(host, 'standp');
    expect(error?.code).toBe('PEG_INVALID_ARGUMENTS');
    expect(error?.message).toContain('Did you mean "standup"?');
    expect(textOf(await use(host, '?'))).toBe('- standup: About standup\n- shared: About shared');
  });

  test.for([
    // name, description as written, description as read
    ['pdf-tools', 'Reads PDFs. Use when: a PDF is there', 'Reads PDFs. Use when: a PDF is there'],
    ['PDF-Tools', 'Reads PDFs', 'Reads PDFs'],
    ['PDF Tools', 'Reads: PDFs', 'Reads: PDFs'],
    ['pdf_tools', '[beta] Reads PDFs: well', '[beta] Reads PDFs: well'],
    ['pdf-tools', '"PDF" tools: read them', '"PDF" tools: read them'],
    ['pdf-tools', '@pdf, with: `x` # and y', '@pdf, with: `x` # and y'],
    [
      'pdf-tools',
      'Reads PDFs. Use when: a PDF\n  is there: always',
      'Reads PDFs. Use when: a PDF is there: always',
    ],
    ['pdf-tools', 'It\'s for: "PDFs" \\d', 'It\'s for: "PDFs" \\d'],
  ] as const)('of others are read as others read them: %s, %s', async ([name, written, description]) => {
    await using opened = await open({
      'spaces/personal/agent/skills/pdf-tools/SKILL.md': `---\nname: ${name}\ndescription: ${written}\nlicense: MIT: really\nmetadata:\n  author: me\n---\n\n# PDFs\n`,
    });
    const { host } = opened;
    expect(textOf(await use(host, '?'))).toBe(`- pdf-tools: ${description}`);
    const found = host.spaces.diagnostics;
    expect(found.length).toBeGreaterThan(0);
    for (const { severity, hint } of found) {
      expect(severity).toBe('warning');
      expect(hint).toMatch(/in quotes|write name: pdf-tools/);
    }
  });

  test('are not offered while something is missing, which is named; and are as soon as it is there', async () => {
    const requires = [
      'requires:',
      '  env: [NO_SUCH_VARIABLE]',
      '  secrets: [NO_SUCH_SECRET]',
      '  binaries: [no-such-program, sh]',
      '  tools: [personal.missing, read]',
      '',
    ].join('\n');
    await using opened = await open({
      'spaces/personal/agent/skills/full.md': skill('full', requires),
      'spaces/personal/agent/skills/token.md': skill('token', 'requires: { secrets: [API_TOKEN] }\n'),
    });
    const { host } = opened;
    expect(namesFor(host)).toEqual([]);
    const [full] = host.spaces.diagnostics;
    expect(full).toMatchObject({ severity: 'warning', code: 'skill-unavailable' });
    expect(full!.message).toContain('the environment variable NO_SUCH_VARIABLE is not set');
    expect(full!.message).toContain('pegboard secret set NO_SUCH_SECRET');
    expect(full!.message).toContain('the program no-such-program is not installed');
    expect(full!.message).toContain('there is no tool personal.missing');
    expect(full!.message).not.toMatch(/tool read|program sh /);
    await host.secrets.set('API_TOKEN', 'x', 'owner');
    expect(namesFor(host)).toEqual(['token']);
  });

  test('that need a tool which the agent may not use are not offered to that agent', async () => {
    await using opened = await open({
      'spaces/work/agent/agents/careful.yaml': 'blockedTools: [bash]\n',
      'spaces/work/agent/agents/free.yaml': '\n',
      'spaces/work/agent/skills/shell.md': skill('shell', 'requires: { tools: [bash] }\n'),
    });
    expect(namesFor(opened.host, 'free')).toEqual(['shell']);
    expect(namesFor(opened.host, 'careful')).toEqual([]);
  });

  test('come, change and go with their files; a broken one keeps its last good version in service', async () => {
    const file = 'spaces/personal/agent/skills/standup.md';
    await using opened = await open({ [file]: skill('standup') });
    const { host, home } = opened;
    const save = async (path: string, text: string): Promise<void> =>
      host.spaces.changed([await home.write(path, text)]);
    await save('spaces/personal/agent/skills/new/SKILL.md', skill('new'));
    expect(namesFor(host)).toEqual(['new', 'standup']);
    await save(file, '---\nnme: standup\n---\n');
    expect(host.spaces.diagnostics.map(({ code, line, hint }) => [code, line, hint])).toEqual([
      ['missing-key', 2, undefined],
      ['missing-key', 2, undefined],
      ['unknown-key', 2, 'nme → name?'],
    ]);
    expect(textOf(await use(host, 'standup'))).toContain('How to standup.');
    await save(file, skill('standup', '', 'Stand up.'));
    expect(textOf(await use(host, 'standup'))).toContain('Stand up.');
    expect(host.spaces.diagnostics).toEqual([]);
  });

  test("of a plugin come with a reload of the plugin's files", async () => {
    await using opened = await open(plugin);
    const { host, home } = opened;
    const changed = new Promise<void>((resolve) => void host.spaces.onChange(resolve));
    const folder = join(home.path, 'plugins/p/skills');
    await mkdir(folder);
    await writeFile(join(folder, 'late.md'), skill('late'));
    await host.plugins.changed([join(folder, 'late.md')]);
    await changed;
    expect(namesFor(host)).toEqual(['late']);
  });
});

const named = (name: string): Skill => ({
  name,
  description: `About ${name}`,
  body: name,
  path: `/${name}.md`,
});
const vector = (...numbers: number[]): Float32Array => Float32Array.from(numbers);

describe('which skills go into a turn', () => {
  const skills = ['a', 'b', 'c', 'd', 'e'].map(named);

  test('the three that are most like the message, and none below 0.35', () => {
    const vectors = new Map([
      ['a', vector(0.36, Math.sqrt(1 - 0.36 ** 2))],
      ['b', vector(2, 0)],
      ['c', vector(0.34, Math.sqrt(1 - 0.34 ** 2))],
      ['d', vector(0.5, 0.5)],
      ['e', vector(-1, 0)],
    ]);
    const chosen = selectSkills(skills, vector(1, 0), vectors);
    expect(chosen.map(({ name }) => name)).toEqual(['b', 'd', 'a']);
    const all = new Map(skills.map(({ name }) => [name, vector(1, 0)]));
    expect(selectSkills(skills, vector(1, 0), all).map(({ name }) => name)).toEqual(['a', 'b', 'c']);
    expect(selectSkills(skills, vector(0, 0), all)).toEqual([]);
  });

  test('without embeddings, those whose whole name the message holds', () => {
    const own = [named('daily-standup'), named('release-notes')];
    const text = 'Please prepare the daily Standup, and note the release.';
    expect(selectSkills(own, undefined, new Map(), text)).toEqual([own[0]]);
    expect(selectSkills(own, vector(1), new Map([['daily-standup', vector(1, 2)]]), text)).toEqual([own[0]]);
    expect(selectSkills(own, undefined, new Map(), 'Hello')).toEqual([]);
  });

  test('"/name" takes that skill first, whatever the message is like', async () => {
    const embed = async (texts: readonly string[]) => texts.map(() => vector(1, 0));
    const turn = (text: string, embedded?: Float32Array) => ({
      message: { source: 'cli', externalId: 'cli', text },
      embedding: async () => embedded,
    });
    const namesOf = async (...[text, embedded]: Parameters<typeof turn>): Promise<string[]> =>
      (await chooseSkills(skills, turn(text, embedded), embed)).map(({ name }) => name);
    expect(await namesOf('/e now', vector(1, 0))).toEqual(['e', 'a', 'b']);
    expect(await namesOf('/e')).toEqual(['e']);
    expect(await namesOf('/tools')).toEqual([]);
  });

  test('their names are listed in the system prompt, and the same ones give the same bytes', async () => {
    await using opened = await open({ 'spaces/personal/agent/skills/a.md': skill('a') });
    const agent = opened.host.spaces.agentFor();
    const told = withSkillList({ ...agent, systemPrompt: 'Be brief.\n' }, skills.slice(0, 2));
    expect(told.systemPrompt).toMatch(/^Be brief\.\n\n## Skills\n[\s\S]*\n- a: About a\n- b: About b$/);
    expect(withSkillList(agent, [])).toBe(agent);
    const { prompt } = await opened.host.injectionFor(undefined, {});
    expect(typeof prompt).toBe('string');
  });
});
