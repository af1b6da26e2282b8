import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { databaseFileOf } from '../../../host/store/database/file.ts';
import { startScriptedModel } from '../../../host/testing/index.ts';
import { environmentOf, saysIn } from '../../plugins/builtin-telegram/bot-home.ts';
import { startPegboard } from '../../kit/cli.ts';
import { configFor } from '../../kit/homes/agent-home.ts';
import { createHome } from '../../kit/homes/home.ts';
import { anna, startFakeBotApi } from '../../kit/telegram/fake-bot-api.ts';

/** A tool whose effect is a line, and that kills its host before or after it, once. */
const plugin = (moment: 'before' | 'after'): string => `import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
const at = (home: string, moment: string): void => {
  if (moment !== '${moment}' || existsSync(home + '/killed')) return;
  writeFileSync(home + '/killed', '');
  execFileSync('kill', ['-KILL', String(process.pid)]);
};
export default {
  setup: ({ home }: { home: string }) => ({
    packs: {
      steps: [{
        name: 'mark', description: 'Marks something', parameters: { type: 'object', properties: {} },
        execute(): string {
          at(home, 'before');
          appendFileSync(home + '/marks', 'marked\\n');
          at(home, 'after');
          return 'marked';
        },
      }],
    },
  }),
};
`;

test.each([
  ['before', []],
  ['after', ['marked']],
] as const)(
  'killed %s the effect of a call, the next host ends the turn, tells of it and does not repeat the call',
  async (moment, marks) => {
    await using telegram = await startFakeBotApi();
    await using model = await startScriptedModel(({ messages }) => {
      const result = messages.find(({ role }) => role === 'tool');
      return result === undefined
        ? { toolCalls: [{ name: 'mark', arguments: {} }] }
        : { text: `The call: ${String(result.content)}` };
    });
    await using home = await createHome({
      'pegboard.yaml': JSON.stringify({
        ...(JSON.parse(configFor(model)) as object),
        plugins: { steps: { trusted: true } },
      }),
      'plugins/steps/plugin.yaml':
        'id: steps\nversion: "1.0.0"\ndescription: Steps\npacks: { steps: { description: Steps } }\n',
      'plugins/steps/index.ts': plugin(moment),
    });
    const start = () =>
      startPegboard(['start'], { home: home.path, env: environmentOf(telegram), apart: true });
    await using first = start();
    telegram.write(anna, 'mark it');
    await first.ended;
    expect(first.child.signalCode).toBe('SIGKILL');
    await using _second = start();
    const { text } = await saysIn(telegram, anna.id, /^The call: /);
    expect(text).toMatch(/uncertain|may have|not known/i);
    expect((await home.read('marks').catch(() => '')).split('\n').filter(Boolean)).toEqual(marks);
    expect(telegram.sentTo(anna.id).filter((sent) => sent.text.startsWith('The call: '))).toHaveLength(1);
    using database = new DatabaseSync(databaseFileOf(home.path), { readOnly: true });
    expect(database.prepare('select uncertain from tool_calls').all()).toEqual([{ uncertain: 1 }]);
  },
);
