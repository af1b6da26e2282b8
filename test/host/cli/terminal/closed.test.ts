import { expect, test } from 'vitest';
import { createHome, manifest } from '../../../kit/homes/home.ts';
import { startOnTerminal } from '../../../kit/pty.ts';

test('closing the terminal during a question declines it, and is no bug of Pegboard', async () => {
  await using home = await createHome({
    'spaces/work/agent/tools/ask.md': manifest('ask', 'command: echo ran\nconfirm: true'),
  });
  await using call = startOnTerminal(['call', 'ask'], { home: home.path });
  await call.next(/Run work\.ask\?[^]*● No/);
  call.child.stdin.end();
  const { code, stdout } = await call.ended;
  expect(code).toBe(3);
  expect(stdout).not.toMatch(/bug in Pegboard|EIO/);
  const audit = await home.read('data/logs/audit.jsonl');
  expect(audit).toContain('"outcome":"PEG_DECLINED"');
  expect(audit).not.toContain('PEG_INTERNAL');
});
