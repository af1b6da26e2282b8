import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { hostScope } from '../../../host/tools/access.ts';
import { textOf } from '../../../host/tools/result.ts';
import { openAgentHome, type AgentHome } from '../../kit/homes/agent-home.ts';
import { pegboard } from '../../kit/cli.ts';
import { canariesIn, canariesInFiles } from './scan.ts';

const newSecret = (): string => `sk-"live"\\${randomBytes(9).toString('hex')}`;

/**
 * The files of the home, except the stored secrets. Copied by another process, because closing a file here would
 * release SQLite's locks.
 */
function kept({ home }: AgentHome, secret: string): string[] {
  const copy = join(home.path, 'copy');
  execFileSync('rm', ['-rf', copy]);
  execFileSync('cp', ['-r', join(home.path, 'data'), copy]);
  return canariesInFiles(copy, { secret }, ['secrets']);
}

/** Whether the text is in the database, its log or its indexes. */
async function tell(agent: AgentHome, secret: string): Promise<void> {
  await agent.home.write('data/history', `hello\nmy key is ${secret}, keep it\n`);
  await agent.say('Good morning');
  await agent.say(`My key is ${secret}, keep it`);
  const call = { scope: hostScope, caller: 'test', confirm: 'never' } as const;
  await agent.host.dispatch({ name: 'memory_store', args: { content: `The key is ${secret}` }, ...call });
  // From now on, messages are found through an index.
  const found = await agent.host.dispatch({ name: 'memory_recall', args: { query: 'key keep' }, ...call });
  expect(textOf(found)).toContain('keep it');
  expect(kept(agent, secret)).not.toEqual([]);
}

test.each(['an agent', 'its owner'])(
  'a secret that was sent before %s stores it is removed from all stored data',
  async (who) => {
    const secret = newSecret();
    const store = { name: 'secret_store', arguments: { name: 'LIVE_KEY', value: secret } };
    const script = [
      { text: 'Good morning' },
      { text: 'I will.' },
      { toolCalls: [store] },
      { text: 'It is kept.' },
    ];
    await using agent = await openAgentHome(script);
    await tell(agent, secret);
    if (who === 'an agent')
      expect(
        await agent.say('Now store it', { ask: () => Promise.resolve({ action: 'accept' }) }),
      ).toMatchObject({ text: 'It is kept.' });
    else {
      const set = await pegboard(['secret', 'set', 'LIVE_KEY'], { home: agent.home.path, input: secret });
      expect(set).toMatchObject({ code: 0 });
    }
    expect(kept(agent, secret)).toEqual([]);
    expect(await agent.home.read('data/history')).toBe('hello\nmy key is [secret LIVE_KEY], keep it\n');
    // The mention of a key is kept, and search finds it.
    const { host } = agent;
    const call = { scope: hostScope, caller: 'test' } as const;
    const recall = async (query: string): Promise<string> =>
      textOf(await host.dispatch({ name: 'memory_recall', args: { query }, ...call }));
    expect(await recall('key keep')).toContain('[secret LIVE_KEY], keep it');
    expect(canariesIn(await recall(secret), { secret })).toEqual([]);
    const database = join(agent.home.path, 'copy/pegboard.db');
    kept(agent, secret);
    using copy = new DatabaseSync(database);
    expect(copy.prepare('pragma integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
    const said = copy.prepare("select text from messages where role = 'user'").all();
    expect(said).toContainEqual({ text: 'My key is [secret LIVE_KEY], keep it' });
  },
);

test('a secret that another process stores or changes is known to a running host', async () => {
  await using agent = await openAgentHome(({ messages }) => ({
    text: `You wrote: ${String(messages.at(-1).content).split('\n').at(-1)}`,
  }));
  const set = (secret: string) =>
    pegboard(['secret', 'set', 'LIVE_KEY'], { home: agent.home.path, input: secret });
  for (const secret of [newSecret(), newSecret()]) {
    await agent.say('Good morning');
    expect(await set(secret)).toMatchObject({ code: 0 });
    expect(await agent.say(`My key is ${secret}`)).toMatchObject({
      text: 'You wrote: My key is [secret LIVE_KEY]',
    });
    expect(kept(agent, secret)).toEqual([]);
    expect(agent.host.secrets.get('LIVE_KEY')).toBe(secret);
    expect(agent.host.secrets.list()).toMatchObject([{ name: 'LIVE_KEY' }]);
  }
});
