import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadCommand, type LoadedCommand } from '../../../../../host/sources/manifests/command/load.ts';
import { TemplateRefusal } from '../../../../../host/sources/manifests/command/refusal.ts';
import { openExecutor, type Executor } from './fuzz/execute.ts';
import { pairedCase, pairedParameters, programs, type PairedCase } from './fuzz/paired-cases.ts';
import { createRandom, effort } from '../../../../kit/data/fuzz.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pegboard-paired-'));
  await mkdir(join(folder, 'bin'));
  for (const name of programs) {
    // Prints its arguments, so that the output of a substitution is hostile too.
    await writeFile(join(folder, 'bin', name), `#!/bin/sh\necho ${name} >> "$LOG"\nprintf '%s ' "$@"\n`);
    await chmod(join(folder, 'bin', name), 0o755);
  }
});
afterAll(() => rm(folder, { recursive: true }));

async function load(template: string): Promise<LoadedCommand | undefined> {
  try {
    return await loadCommand(template, pairedParameters);
  } catch (cause) {
    if (cause instanceof TemplateRefusal) return undefined;
    throw cause;
  }
}

function render(command: LoadedCommand, args: PairedCase['hostile']): readonly string[] | undefined {
  try {
    return command.render(args).argv;
  } catch (cause) {
    if (cause instanceof TemplateRefusal) return undefined;
    throw cause;
  }
}

let runs = 0;

/** The programs that ran, and whether bash found the script well formed. */
async function programsOf(executor: Executor, argv: readonly string[]): Promise<readonly string[]> {
  const place = join(folder, String(runs++));
  await mkdir(place);
  const log = join(place, 'log');
  await writeFile(log, '');
  const { stderr } = await executor.execute({
    argv,
    cwd: place,
    environment: { PATH: `${join(folder, 'bin')}:/usr/bin:/bin`, LC_ALL: 'C.UTF-8', LOG: log },
  });
  const ran = [...new Set((await readFile(log, 'utf8')).split('\n').filter(Boolean))].sort();
  await rm(place, { recursive: true });
  return /syntax error|unexpected (EOF|end of file)/.test(stderr) ? [...ran, 'syntax error'] : ran;
}

test(
  'hostile values make a command run the same programs as harmless ones',
  { timeout: 180_000 },
  async () => {
    const random = createRandom(6006);
    await using executor = openExecutor();
    const cases = Array.from({ length: 1_500 * effort }, () => pairedCase(random));
    let compared = 0;
    await executor.forEach(cases, async ({ template, harmless, hostile }) => {
      const command = await load(template);
      const [calm, wild] = [command && render(command, harmless), command && render(command, hostile)];
      if (!calm || !wild) return;
      compared++;
      const expected = await programsOf(executor, calm);
      const found = await programsOf(executor, wild);
      const where = `FUZZ_SEED=${random.seed}\n${template}\n${JSON.stringify(hostile)}\n${wild.join('\n')}`;
      expect(found, where).not.toContain('canary');
      // A file that can't be opened, because its name is too long, keeps its program from running.
      if (template.includes('>')) expect(expected, where).toEqual(expect.arrayContaining([...found]));
      else expect(found, where).toEqual(expected);
    });
    expect(compared).toBeGreaterThan(300 * effort);
  },
);
