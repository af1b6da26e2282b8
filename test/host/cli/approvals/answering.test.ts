import { expect, test } from 'vitest';
import { pegboard, pegboardJson } from '../../../kit/cli.ts';
import { createHome } from '../../../kit/homes/home.ts';
import { startOnTerminal } from '../../../kit/pty.ts';

interface Listed {
  readonly questions: readonly { readonly id: number; readonly kind: string; readonly message: string }[];
}

test('a dialog that is open at one terminal is answered at another', async () => {
  await using home = await createHome();
  const asking = startOnTerminal(
    ['call', 'show_dialog', 'title=Where to?', 'choices=["Staging","Production"]'],
    {
      home: home.path,
    },
  );
  await using _asking = asking;
  await asking.waitFor(/Where to\?/);
  const { questions } = await pegboardJson<Listed>(['approvals', 'list'], { home: home.path });
  expect(questions).toMatchObject([{ kind: 'dialog', message: 'Where to?' }]);
  const [{ id } = { id: 0 }] = questions;
  const alone = await pegboard(['approvals', 'allow', `${id}`], { home: home.path });
  expect(alone).toMatchObject({ code: 3 });
  expect(alone.stderr).toContain(`Question ${id} (bridge.show_dialog) wants an answer, not a permission`);
  const answering = startOnTerminal(['approvals', 'allow', `${id}`], { home: home.path });
  await using _answering = answering;
  await answering.waitFor(/Production/);
  answering.child.stdin.write('2');
  await answering.waitFor(/has its answer/);
  await asking.waitFor(/Answered by pegboard approvals[^]*Production/);
});
