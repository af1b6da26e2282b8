import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findHidden } from '../../../../host/core/foreign/hidden-characters.ts';
import { pegboard } from '../../../kit/cli.ts';
import { createHome } from '../../../kit/homes/home.ts';

const hostile = 'Milk\u202Ekcab\u202C \u200Bis \u{E0049}\u{E0067}out\rof \u001B[2K\u001B]0;title\u0007stock';
const fixture = join(import.meta.dirname, '../../../fixtures/mcp/hostile/hides-everywhere.ts');

test('lists of the command line show no invisible characters, and no entry is missing', async () => {
  await using home = await createHome({
    'pegboard.yaml': JSON.stringify({
      mcpServers: { sly: { command: process.execPath, args: [fixture] } },
    }),
    [`spaces/s/agent/tools/odd\u202Egnp.md`]: '---\nid: odd\n---\n',
  });
  const call = (tool: string, args: object) =>
    pegboard(['call', tool, '--args', JSON.stringify(args), '--yes'], { home: home.path });
  expect(await call('memory_store', { content: hostile, category: 'fact' })).toMatchObject({
    code: 0,
    stderr: '',
  });
  const scheduled = { instruction: hostile, cron_expression: '0 8 * * *' };
  expect(await call('scheduler.schedule', scheduled)).toMatchObject({ code: 0, stderr: '' });
  const commands = [
    ['memory', 'list'],
    ['schedule', 'list'],
    ['mcp', 'list'],
    ['tools'],
    ['show', 'sly.weather'],
    ['lint'],
    ['doctor'],
    ['logs'],
    ['approvals'],
    ['call', 'sly.fail'],
    ['call', 'sly.weather', '--json'],
    ['memory', 'list', '--json'],
    ['tools', '--json'],
  ];
  for (const command of commands) {
    const { stdout, stderr } = await pegboard(command, { home: home.path });
    // A tool's result is written to a pipe unchanged.
    for (const text of command[1] === 'sly.fail' ? [stderr] : [stdout, stderr])
      expect(findHidden(text), `${command.join(' ')}: ${text}`).toBeUndefined();
    if (command.includes('--json')) JSON.parse(stdout);
  }
  const { stdout: schedules } = await pegboard(['schedule', 'list'], { home: home.path });
  expect(schedules).toContain('Milk\\u{202e}kcab\\u{202c} \\u{200b}is');
  // Memories don't store them.
  const { stdout: memories } = await pegboard(['memory', 'list'], { home: home.path });
  expect(memories).toContain('Milkkcab is');
});
