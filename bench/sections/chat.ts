import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openHome, type BenchHome } from '../kit/home.ts';
import { cloneEntry, packageEntry } from '../kit/installation.ts';
import { startInstantModel, type InstantModel } from '../kit/instant-model.ts';
import { residentMemory } from '../kit/process.ts';
import type { Target, Row, Section } from '../kit/section.ts';
import { interleaved, median } from '../kit/statistics.ts';

const rounds = 11;
const direct = join(import.meta.dirname, '../programs/ask-model.ts');

export const chat: Section = {
  name: 'chat',
  title: 'One message to a model',
  about:
    'From the start of `pegboard chat "ping"` to the answer of a model that answers at once, with all built-in tools; and resident memory at the moment of the request. Direct: a program that asks the same with the `openai` package alone. Then what the first request holds, in tokens of four characters: the built-in tools as the window of the model lets them be shown, and with 500 more.',
  async measure() {
    using home = openHome();
    using large = openHome({ manifests: 500 });
    await using model = await startInstantModel();
    const say = (cliEntry: string) => ask([cliEntry, 'chat', '--new', 'ping', '--home', home.folder], model);
    configure(home, model, 128_000);
    const figures = await interleaved(rounds, {
      direct: () => ask([direct], model),
      package: () => say(packageEntry()),
      clone: () => say(cloneEntry),
    });
    const row = (what: string, unit: 'ms' | 'MB', side: 'package' | 'clone', target?: Target): Row => ({
      what,
      unit,
      direct: median(figures.direct.map((figure) => figure[unit])),
      pegboard: median(figures[side].map((figure) => figure[unit])),
      ...(target && { target }),
    });
    const tokens = async (what: string, of: BenchHome, window: number, atMost?: number): Promise<Row> => {
      configure(of, model, window);
      const { body } = await ask([packageEntry(), 'chat', '--new', 'ping', '--home', of.folder], model);
      const target: Target | undefined = atMost === undefined ? undefined : { of: 'value', atMost };
      return { what, unit: 'tokens', pegboard: Math.ceil(body.length / 4), ...(target && { target }) };
    };
    return [
      row('from start to answer', 'ms', 'package', { of: 'value', atMost: 350 }),
      row('from start to answer, clone', 'ms', 'clone'),
      row('memory', 'MB', 'package', { of: 'value', atMost: 130 }),
      row('memory, clone', 'MB', 'clone'),
      await tokens('first request, window of 128,000', home, 128_000),
      await tokens('first request, discovery', home, 1_000, 2_500),
      await tokens('first request, 500 more tools, window of 32,000', large, 32_000, 6_000),
    ];
  },
};

/** JSON is YAML. */
function configure(home: BenchHome, { baseUrl }: InstantModel, contextWindow: number): void {
  const providers = { instant: { base_url: baseUrl, native_tool_use: true } };
  const config = { models: { default: 'instant/instant', contextWindow, providers } };
  writeFileSync(home.path('pegboard.yaml'), JSON.stringify(config));
}

interface Figures {
  readonly ms: number;
  readonly MB: number;
  readonly body: string;
}

/** Runs a program that sends one message to the model, until it ends. */
async function ask(args: readonly string[], model: InstantModel): Promise<Figures> {
  const startedAt = performance.now();
  const env = { ...process.env, OPENAI_BASE_URL: model.baseUrl };
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], env });
  const asked = { body: '', MB: Number.NaN };
  model.onRequest = (body) => Object.assign(asked, { body, MB: residentMemory(child.pid!) });
  const ended = once(child, 'exit');
  const [answer] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
  const ms = performance.now() - startedAt;
  await ended;
  if (!answer.startsWith('pong') || asked.body === '') throw new Error(`${args.join(' ')} said ${answer}`);
  return { ms, ...asked };
}
