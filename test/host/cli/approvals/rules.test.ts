import { expect, test } from 'vitest';
import { pegboard, pegboardJson } from '../../../kit/cli.ts';
import { createHome, manifest } from '../../../kit/homes/home.ts';
import { questionsOf } from '../../../kit/homes/asking-home.ts';
import { keys, startOnTerminal } from '../../../kit/pty.ts';

const tools = 'spaces/work/agent/tools';

test('approvals test says what would become of a call, and by which rule; lint and doctor name rules that do nothing', async () => {
  await using home = await createHome({
    'pegboard.yaml': `# Mine
permissions:
  allow:
    - bash(git status *)
    - bash(python3 *)
    - bsah
    - web_read(https://example.com)
  deny: ["bash(git push *)"]
`,
    'spaces/work/agent/agent.yaml': 'id: work\npermissions:\n  ask: [publihs, "publish(nmae: x)"]\n',
    [`${tools}/publish.md`]: manifest(
      'publish',
      'parameters: [{ name: name, type: string }]\ncommand: echo {{name}}',
    ),
  });
  const verdictOn = (...words: readonly string[]) =>
    pegboard(['approvals', 'test', ...words], { home: home.path });
  const allowed = await verdictOn('bash', 'git status -s');
  expect(allowed).toMatchObject({
    code: 0,
    stdout: 'allow  filesystem.bash\n  bash(git status *) (pegboard.yaml)\n',
  });
  const asked = await verdictOn('bash', 'git status && git stash', '--agent', 'work');
  expect(asked).toMatchObject({ code: 1, stdout: 'ask  filesystem.bash\n  Run this shell command?\n' });
  const denied = await verdictOn('bash: FOO=1 git push');
  expect(denied).toMatchObject({
    code: 1,
    stdout: 'deny  filesystem.bash\n  bash(git push *) (pegboard.yaml)\n',
  });
  const dangerous = await pegboardJson(['approvals', 'test', 'bash', 'command=git status; rm -r x'], {
    home: home.path,
  });
  expect(dangerous).toMatchObject({
    tool: 'filesystem.bash',
    verdict: 'ask',
    reasons: [expect.stringContaining('rm -r deletes folders')],
  });
  const linted = await pegboard(['lint'], { home: home.path });
  for (const line of [
    /pegboard\.yaml:5:\d+[^]*?"bash\(python3 \*\)" allows nothing: python3 runs what its arguments say/,
    /pegboard\.yaml:6:\d+[^]*?"bsah" allows nothing: this home has no such tool/,
    /pegboard\.yaml:7:\d+[^]*?allows nothing: calls of web_read are told apart by their domain/,
    /agent\.yaml:3:\d+[^]*?"publihs" asks about nothing/,
    /agent\.yaml:3:\d+[^]*?concerns every call of publish: .*it has name/,
  ])
    expect(linted.stdout).toMatch(line);
  const doctor = await pegboard(['doctor'], { home: home.path });
  expect(doctor.stdout).toMatch(/permissions +calls that bash\(git status \*\).*run without asking/);
  expect(doctor.stdout).toContain('pegboard.yaml:6: permissions.allow: "bsah" allows nothing');
});

test('a person declines a call with what to do instead, at the terminal or from another one', async () => {
  await using home = await createHome({
    [`${tools}/publish.md`]: manifest('publish', 'confirm: true\ncommand: echo published'),
  });
  const asking = startOnTerminal(['call', 'publish'], { home: home.path });
  await using _asking = asking;
  await asking.waitFor(/Run work\.publish\?[^]*No, and do this instead … \(i\)[^]*● No/);
  asking.child.stdin.write('i');
  await asking.waitFor(/What should be done instead\?/);
  asking.child.stdin.write(`use the draft${keys.enter}`);
  await asking.waitFor(
    /was not run: declined by the terminal\. What to do instead, as they wrote: use the draft/,
  );
  const other = startOnTerminal(['call', 'publish'], { home: home.path });
  await using _other = other;
  const [question] = await questionsOf(home, 1);
  const answer = ['approvals', 'deny', `${question!.id}`, '--instead', 'ask Ada'];
  expect(await pegboard(answer, { home: home.path })).toMatchObject({ code: 0 });
  await other.waitFor(/declined by pegboard approvals\. What to do instead, as they wrote: ask Ada/);
});
