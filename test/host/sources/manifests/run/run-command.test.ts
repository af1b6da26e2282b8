import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject, ToolResult } from '../../../../../host/api/result.ts';
import type { Progress, ToolCall } from '../../../../../host/api/tool.ts';
import { openDeadline } from '../../../../../host/core/async/deadline.ts';
import { silentLogger } from '../../../../../host/core/log.ts';
import { createRedactor } from '../../../../../host/core/secrets/redact.ts';
import type { CommandOutput } from '../../../../../host/sources/manifests/run/command-output.ts';
import { loadCommand, type RenderedCommand } from '../../../../../host/sources/manifests/command/load.ts';
import type { CommandParameter } from '../../../../../host/sources/manifests/command/template/template.ts';
import {
  prepareCommand,
  runCommand,
  type CommandSpec,
} from '../../../../../host/sources/manifests/run/run-command.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pegboard-run-'));
});
afterAll(() => rm(folder, { recursive: true }));

const parameters: readonly CommandParameter[] = [
  { name: 'x', type: 'string' },
  { name: 'code', type: 'string', unsafe: true },
];
interface Options {
  readonly args?: JsonObject;
  readonly output?: CommandOutput;
  readonly environment?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly variables?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}

const specOf = async (template: string, options: Options = {}): Promise<CommandSpec> => ({
  command: await loadCommand(template, parameters),
  cwd: options.cwd ?? folder,
  environment: options.environment ?? {},
  output: options.output ?? 'text',
  root: folder,
});

async function run(template: string, options: Options = {}): Promise<ToolResult> {
  const spec = await specOf(template, options);
  const args = options.args ?? {};
  const call: Partial<ToolCall<JsonObject, RenderedCommand>> = {
    tool: { id: 'example.tool' } as ToolCall['tool'],
    args,
    prepared: prepareCommand(spec, args, undefined),
    signal: options.signal ?? new AbortController().signal,
    log: silentLogger,
    progress: options.onProgress ?? (() => {}),
  };
  const context = {
    resolve: (name: string) => options.variables?.[name],
    user: { env: process.env },
    redactor: createRedactor(),
  };
  return (await runCommand(spec, call as ToolCall<JsonObject, RenderedCommand>, context)) as ToolResult;
}
const text = (block: string): object => ({ type: 'text', text: block });

describe('what is prepared', () => {
  test('shows the exact command in shell quoting, and its folder', async () => {
    const spec = await specOf("grep -n -- {{x}} 'a file' | head");
    expect(prepareCommand(spec, { x: "it's $HOME\n" }, undefined)).toMatchObject({
      preview: `grep -n -- $'it\\'s $HOME\\n' 'a file' | head`,
      cwd: folder,
    });
    expect(prepareCommand(spec, { x: 'a' }, undefined).sensitive).toBeUndefined();
  });

  test('is sensitive when a value may be program text', async () => {
    const spec = await specOf('bash -c {{code}}');
    expect(prepareCommand(spec, { code: 'ls' }, undefined).sensitive).toMatch(/may run as a program/);
  });

  test('refuses values that the command cannot take, in words for the caller', async () => {
    const spec = await specOf('ls {{x}}');
    expect(() => prepareCommand(spec, { x: '-la' }, undefined)).toThrow(
      expect.objectContaining({
        code: 'PEG_INVALID_ARGUMENTS',
        message: expect.stringContaining('x: it begins with "-"'),
        data: { reason: 'option-injection' },
      }),
    );
  });

  test('holds nothing of the environment', async () => {
    const spec = await specOf('printenv TOKEN', { environment: { TOKEN: '${SECRET}' } });
    expect(JSON.stringify(prepareCommand(spec, {}, undefined))).not.toContain('SECRET');
  });
});

describe('the result', () => {
  test('is what the command prints, byte for byte', async () => {
    expect(await run("printf '%s\\n' {{x}}", { args: { x: ' ä "q" ' } })).toEqual({
      content: [text(' ä "q" \n')],
    });
  });

  test('has standard error in a block of its own, marked beside standard output', async () => {
    expect(await run('echo out; echo err >&2')).toEqual({
      content: [text('out\n'), text('[stderr]\nerr\n')],
    });
    expect(await run('echo err >&2')).toEqual({ content: [text('err\n')] });
    expect(await run('true')).toEqual({ content: [] });
  });

  test('of output: json is the object that was printed', async () => {
    expect(await run('echo \'{"a": [1, {"b": null}]}\'', { output: 'json' })).toEqual({
      content: [text('{"a": [1, {"b": null}]}\n')],
      structured: { a: [1, { b: null }] },
    });
  });

  test('of output: json holds any other value as "value"', async () => {
    expect(await run('echo [1,2]', { output: 'json' })).toMatchObject({ structured: { value: [1, 2] } });
    expect(await run('echo null', { output: 'json' })).toMatchObject({ structured: { value: null } });
  });

  test.each([
    ['echo no json', 'its output is not valid JSON', 'It begins: no json'],
    ['true', 'it printed nothing', ''],
    ['echo \'{"a":1} {}\'', 'is not valid JSON', ''],
  ])('of output: json that is not JSON says so: %s', async (template, why, how) => {
    await expect(run(template, { output: 'json' })).rejects.toMatchObject({
      code: 'PEG_COMMAND_FAILED',
      message: expect.stringMatching(new RegExp(`example.tool declares "output: json".*${why}.*${how}`, 's')),
    });
  });

  test('of output: lines is a list of lines', async () => {
    expect(await run("printf 'a b\\r\\n\\nc'", { output: 'lines' })).toMatchObject({
      structured: { lines: ['a b', '', 'c'] },
    });
    expect(await run('true', { output: 'lines' })).toEqual({ content: [], structured: { lines: [] } });
  });
});

describe('a command that fails', () => {
  test('says its exit code and the end of what it printed', async () => {
    const failing = run('echo before; echo the reason >&2; exit 7');
    await expect(failing).rejects.toMatchObject({
      code: 'PEG_COMMAND_FAILED',
      message: 'example.tool failed with exit code 7:\nthe reason',
      data: { exitCode: 7, signal: null, stdout: 'before\n', stderr: 'the reason\n' },
    });
  });

  test('shows standard output when standard error is empty, and says when there is nothing', async () => {
    await expect(run('echo only this; exit 1')).rejects.toThrow('failed with exit code 1:\nonly this');
    await expect(run('false')).rejects.toThrow('example.tool failed with exit code 1 and printed nothing.');
  });

  test('of which only the last part fits shows that', async () => {
    await expect(
      run('for i in 1 2 3; do seq 20000 >&2; done; echo "the end" >&2; exit 1'),
    ).rejects.toMatchObject({
      message: expect.stringMatching(
        /^example.tool failed with exit code 1:\n\[… [\d,]+ characters .*the end$/s,
      ),
      data: { stderr: expect.stringMatching(/the end\n$/) },
    });
  });

  test('by a signal names it', async () => {
    await expect(run('kill -TERM $$')).rejects.toMatchObject({
      message: expect.stringContaining('was ended by SIGTERM'),
      data: { exitCode: null, signal: 'SIGTERM' },
    });
  });

  test('for want of a program names that, with a shell and without', async () => {
    await expect(run('no-such-program-7 {{x}}')).rejects.toMatchObject({
      code: 'PEG_PROGRAM_NOT_FOUND',
      message: expect.stringContaining('"no-such-program-7"'),
    });
    await expect(run('echo a | no-such-program-7')).rejects.toMatchObject({
      code: 'PEG_PROGRAM_NOT_FOUND',
      message: expect.stringContaining('"no-such-program-7"'),
    });
  });

  test('for want of its folder names that', async () => {
    await expect(run('true', { cwd: join(folder, 'gone') })).rejects.toThrow(
      /The folder .*gone.* does not exist/,
    );
  });

  test('does not tell a secret, also when only part of it would be shown', async () => {
    const failing = run('printenv TOKEN >&2; seq 450 >&2; exit 1', {
      environment: { TOKEN: '${SECRET}' },
      variables: { SECRET: 'correct-horse-battery'.repeat(30) },
    });
    const failure = await failing.catch((cause: unknown) => cause);
    expect(JSON.stringify([(failure as Error).message, failure])).not.toMatch(/horse/);
  });
});

describe('the environment', () => {
  test('is resolved when the command runs', async () => {
    const result = await run('printenv TOKEN URL', {
      environment: { TOKEN: 'key-${SECRET}', URL: '${BASE:-http://localhost}/v1' },
      variables: { SECRET: 's3cret' },
    });
    expect(result.content).toEqual([text('key-s3cret\nhttp://localhost/v1\n')]);
  });

  test('with a variable that is unset names tool and variable', async () => {
    await expect(run('true', { environment: { TOKEN: '${SECRET}' } })).rejects.toMatchObject({
      code: 'PEG_MISSING_VARIABLE',
      message: expect.stringMatching(/example\.tool needs the variable SECRET \(for TOKEN/),
      data: { variable: 'SECRET' },
    });
  });

  test('holds nothing of the host but a short list', async () => {
    expect(process.env).toHaveProperty('VITEST');
    const { content } = await run('env');
    const [block] = content as readonly { text: string }[];
    expect(block!.text).toMatch(/^PATH=/m);
    expect(block!.text).not.toMatch(/VITEST|NODE_|npm_/);
  });
});

describe('while it runs', () => {
  test('reports its last line at most every 250 ms, without secrets and colours', async () => {
    const seen: { readonly at: number; readonly progress: Progress }[] = [];
    await run('for i in 1 2 3 4 5 6 7 8; do echo "step $i $TOKEN"; sleep 0.1; done', {
      environment: { TOKEN: '${SECRET}' },
      variables: { SECRET: 's3cret-value' },
      onProgress: (progress) => seen.push({ at: performance.now(), progress }),
    });
    expect(seen.length).toBeGreaterThanOrEqual(2);
    for (const [k, { at, progress }] of seen.entries()) {
      expect(progress.message).toMatch(/^step \d \[secret SECRET\]$/);
      if (k > 0) expect(at - seen[k - 1]!.at).toBeGreaterThan(240);
      if (k > 0) expect(progress.progress).toBeGreaterThan(seen[k - 1]!.progress.progress);
    }
  });

  test('a command that runs out of time says what it had printed', async () => {
    using deadline = openDeadline(300);
    const stopped = run('echo half way; sleep 60', { signal: deadline.signal });
    await expect(stopped).rejects.toMatchObject({
      code: 'PEG_TIMEOUT',
      message: 'example.tool timed out after 0.3 s and was stopped. It had printed:\nhalf way',
    });
  });

  test('an abort ends it and everything that it started', async () => {
    const controller = new AbortController();
    const running = run('sleep 1000 & echo $! > pid; echo ready; wait', {
      signal: controller.signal,
      onProgress: () => controller.abort(new Error('enough')),
    });
    await expect(running).rejects.toThrow('enough');
    const sleeper = Number(await readFile(join(folder, 'pid'), 'utf8'));
    const isRunning = (): boolean => {
      const found = spawnSync('ps', ['-o', 'stat=', '-p', String(sleeper)], { encoding: 'utf8' });
      return /^[^Z]/.test(found.stdout.trim());
    };
    await expect.poll(isRunning).toBe(false);
  });
});

describe('variables in a command', () => {
  const variables = { TOKEN: 'from the host', EMPTY: '', UID: 'not of the host' };
  test.each([
    ['echo "a ${TOKEN}" $TOKEN', 'a from the host from the host'],
    ["echo '${TOKEN}' \\$TOKEN", '${TOKEN} $TOKEN'],
    [
      'echo ${OTHER:-none} "${TOKEN:-none}" ${EMPTY:-none} ${EMPTY-none} ${OTHER+set}',
      'none from the host none',
    ],
    ['TOKEN=own; echo $TOKEN', 'own'],
    ['for TOKEN in 1 2; do echo $TOKEN; done | tail -1', '2'],
    ['printf own | { read -r TOKEN; echo $TOKEN; }', 'own'],
    ['printf -v TOKEN own; echo $TOKEN ${#TOKEN}', 'own 3'],
    ['cat <<X\n${TOKEN} {{x}}\nX', 'from the host value'],
    ['echo ${TOKEN#from} ${TOKEN:0:4}', 'the host from'],
    ['echo ${OTHER:-$TOKEN}', 'from the host'],
    ['echo $((UNSET + 1)) $UNSET', '1'],
    ['{{#if x}}echo ${TOKEN}{{else}}echo ${OTHER:-x}{{/if}}', 'from the host'],
  ])('%s', async (command, output) => {
    expect((await run(command, { variables, args: { x: 'value' } })).content).toEqual([text(`${output}\n`)]);
  });

  test.each([
    'echo ${OTHER}',
    'echo "$OTHER"',
    'cat <<X\n${OTHER}\nX',
    'echo ${OTHER%x}',
    'echo ${#OTHER}',
    'echo ${NONE:-$OTHER}',
  ])('without a value nothing runs: %s', async (command) => {
    await expect(run(command, { variables })).rejects.toMatchObject({
      code: 'PEG_MISSING_VARIABLE',
      message: expect.stringContaining('needs the variable OTHER (in its "command"), and it is not set'),
    });
  });
});
