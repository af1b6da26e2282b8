import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../host/api/result.ts';
import { createHost } from '../../../../host/create-host.ts';
import { createHome, manifest } from '../../../kit/homes/home.ts';
import { overPipes } from '../../../kit/mcp/mcp-clients.ts';
import { startPegboard } from '../../../kit/cli.ts';
import { waitUntil } from '../../../kit/wait-until.ts';

/** What Claude Code shows of a question, and nothing unfolds: three lines of 60 columns. */
const cut = (text: string): string =>
  text
    .split('\n')
    .flatMap((line) => line.match(/.{1,60}/gu) ?? [])
    .slice(0, 3)
    .join('');

const command = 'set -e\ncd build\nrm -rf ../photos';

test.each(Object.entries(overPipes))(
  'what is asked over MCP begins with what would run: %s',
  async (_how, connect) => {
    await using home = await createHome({
      'spaces/a/agent/tools/danger.md': manifest(
        'danger',
        'confirm: true\nparameters:\n  - name: path\n    type: string\n    description: P\n  - name: depth\n    type: integer\n    description: D\ncommand: rm -r {{path}} --depth {{depth}}',
      ),
    });
    const messages: string[] = [];
    const answer = ({ message }: JsonObject) => {
      messages.push(message as string);
      return { action: 'decline' };
    };
    await using client = await connect(startPegboard(['serve', '--stdio'], { home: home.path }), { answer });
    await client.call('bash', { command });
    await client.call('danger', { path: 'photos of the family', depth: 3 });
    await client.call('http_request', { method: 'DELETE', url: 'https://example.com/photos' });
    const [bash, danger, http] = messages.map((message) => cut(message).replaceAll(home.path, '~'));
    expect(bash).toContain(
      'Run filesystem.bash, in ~, not sandboxed? ┃ set -e ⏎ cd build ⏎ rm -rf ../photos',
    );
    expect(danger).toMatch(
      /^Run a\.danger, in ~.*, not sandboxed\? ┃ rm -r 'photos of the family' --depth 3/,
    );
    expect(http).toContain('Run http.http_request? ┃ ');
    expect(http).toMatch(/DELETE.*https:..example.com.photos/);
    expect(messages[0]).toContain('┃ set -e\n┃ cd build\n┃ rm -rf ../photos');
  },
);

test('a client that cannot ask is told what its user can do, and the page is asked while somebody looks at it', async () => {
  await using home = await createHome();
  await using client = await overPipes['SDK v2, modern'](
    startPegboard(['serve', '--stdio'], { home: home.path }),
  );
  const alone = JSON.stringify(await client.call('bash', { command }));
  expect(alone).toContain('there is nobody to ask here');
  expect(alone).toContain('pegboard dashboard');
  expect(alone).not.toContain('--yes');
  expect(alone).not.toContain('-rf is');
  expect(alone).not.toMatch(/\.\.(?!\/)/);
  await using host = await createHost({ home: home.path });
  await host.questions.watch(true);
  const calling = client.call('bash', { command: 'echo by the page' });
  const [open] = await waitUntil(
    () => host.questions.list(),
    (all) => all.length > 0,
  );
  await host.questions.answer(open!.id, { decision: 'once', by: 'the page' });
  expect(JSON.stringify(await calling)).toContain('by the page');
});
