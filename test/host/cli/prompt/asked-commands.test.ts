import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { createHome, manifest } from '../../../kit/homes/home.ts';
import { keys, startOnTerminal } from '../../../kit/pty.ts';

describe('a command that is asked about', () => {
  const ask = async (command: string): Promise<string> => {
    await using home = await createHome({
      [`spaces/work/agent/tools/ask.md`]: manifest(
        'ask',
        `command: ${JSON.stringify(command)}\nconfirm: true`,
      ),
    });
    await using session = startOnTerminal(['call', 'ask'], { home: home.path });
    const shown = await session.next(/Yes, this once[^]*● No/);
    session.child.stdin.write(keys.enter);
    await session.ended;
    return shown;
  };

  test('shows what looks like nothing or like a space as what it is', async () => {
    const blanks = ['2800', 'a0', '3000', '2003', '1680', '1d159', '13441', 'e000', '202f'];
    const points = blanks.map((point) => String.fromCodePoint(Number.parseInt(point, 16)));
    const shown = await ask(`echo ok #${points.join('x')}x`);
    for (const point of blanks) expect(shown).toContain(`\\u{${point}}`);
    const typeset = 'echo "東京　大阪。　はい" "Ça va\u00A0? «\u202Foui\u202F»"';
    expect(await ask(typeset)).toContain(typeset);
    expect(await ask('echo "é 日本語 👩‍💻 ½ – €"')).toContain('echo "é 日本語 👩‍💻 ½ – €"');
  });

  test('says above the answers how many lines it has, where its beginning is out of sight', async () => {
    const lines = (count: number): string =>
      Array.from({ length: count }, (_, at) => `echo ${at + 1}`).join('\n');
    const shown = stripVTControlCharacters(await ask(lines(61)));
    expect(shown).toMatch(/\n.*61 lines: read them from the top before you answer\.\s*\n.*Yes, this once/);
    expect(await ask(lines(12))).not.toContain('read them from the top');
  });
});
