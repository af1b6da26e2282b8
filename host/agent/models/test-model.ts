import type { Model } from '../../api/model.ts';
import { untilAborted } from '../../core/async/deadline.ts';
import { nearest } from '../../core/documents/nearest.ts';
import { shownLine } from '../../core/foreign/shown-text.ts';
import { pegboard } from '../../core/own-command.ts';
import { messageOf, PegboardError } from '../../core/errors.ts';
import { presetOf } from './choice/presets.ts';
import { ownProvider, type Provider } from './choice/provider.ts';
import { cancelled, quotaExhausted, type ModelFailureData } from './failure.ts';
import { getFromServer, idsIn } from './wire/ask-server.ts';
import { asSentence } from '../../core/text/as-sentence.ts';

/** Why a model can't be used. */
type ModelProblem =
  | 'not-configured'
  | 'unreachable'
  | 'wrong-address'
  | 'no-key'
  | 'key-refused'
  | 'no-such-model'
  | 'no-credit'
  | 'rate-limit'
  | 'timeout'
  | 'server-error'
  | 'refused';

export type ModelTest =
  | { readonly ok: true; readonly model: string; readonly contextWindow: number; readonly ms: number }
  | {
      readonly ok: false;
      /** "openai/gpt-5"; absent where no name could be found. */
      readonly model?: string;
      readonly problem: ModelProblem;
      /** What is wrong, where, and what to do: one paragraph. */
      readonly message: string;
    };

type FailedTest = Extract<ModelTest, { ok: false }>;

export interface TestOptions {
  readonly signal?: AbortSignal;
  /** Milliseconds. Default: 30,000; on this machine 120,000, since the model may have to be loaded. */
  readonly timeoutMs?: number;
}

const prompt = 'This is a test of the connection. Answer with the word "ok".';
/** Thinking counts, and some providers fail when nothing is left for the answer. */
const maxTokens = 512;

/**
 * One short request without tools, retries or fallbacks. Never throws, except PEG_CANCELLED when `signal` aborts. `open`
 * may throw PEG_CONFIG.
 */
export async function testModel(
  open: () => Promise<Model>,
  { provider, name }: { readonly provider: Provider; readonly name?: string | undefined },
  { signal, timeoutMs = provider.local ? 120_000 : 30_000 }: TestOptions = {},
): Promise<ModelTest> {
  const id = name === undefined ? undefined : `${provider.id}/${name}`;
  const failed = (problem: ModelProblem, message: string): FailedTest => ({
    ok: false,
    ...(id !== undefined && { model: id }),
    problem,
    message,
  });
  const timeout = AbortSignal.timeout(timeoutMs);
  const ended = signal ? AbortSignal.any([signal, timeout]) : timeout;
  const started = performance.now();
  let hasBegun = false;
  try {
    // Opening it may ask the server, within limits of its own; a plugin's model may ignore its signal.
    const model = await untilAborted(open(), ended);
    await untilAborted(
      model.respond(
        {
          messages: [{ role: 'user', content: [{ type: 'text', text: prompt }] }],
          tools: [],
          maxTokens,
          signal: ended,
        },
        () => (hasBegun = true),
      ),
      ended,
    );
    const ms = Math.round(performance.now() - started);
    return { ok: true, model: model.id, contextWindow: model.contextWindow, ms };
  } catch (thrown) {
    if (signal?.aborted) throw cancelled(id ?? provider.id);
    if (timeout.aborted) {
      return failed(
        'timeout',
        hasBegun
          ? `${at(provider)} was still sending its answer after ${timeoutMs / 1000} s, and was stopped: it was asked for one word. Choose another model.`
          : `${at(provider)} did not answer within ${timeoutMs / 1000} s. Try again, or choose a faster model.`,
      );
    }
    const problem = problemIn(thrown, provider);
    if (problem === 'refused' || problem === 'no-such-model' || problem === 'wrong-address')
      return await lookAtList(thrown, problem, provider, name, failed);
    return failed(problem, describe(problem, provider, name, thrown));
  }
}

/** Pure. */
function problemIn(thrown: unknown, { apiKey }: Provider): ModelProblem {
  if (!(thrown instanceof PegboardError)) return 'refused';
  if (thrown.code === 'PEG_CONFIG' || thrown.code === 'PEG_NO_MODEL') return 'not-configured';
  const { status, connection } = (thrown.data ?? {}) as Partial<ModelFailureData>;
  const { message } = thrown;
  if (connection === 'none') return 'unreachable';
  if (connection === 'silent') return 'timeout';
  if (connection === 'broken') return 'wrong-address';
  if (status === undefined) return 'refused';
  if (status === 402 || (status < 500 && quotaExhausted.test(message))) return 'no-credit';
  const blamesKey = status === 400 && /api[ _-]?key/i.test(message);
  if (status === 401 || status === 403 || blamesKey) return apiKey === undefined ? 'no-key' : 'key-refused';
  if (status === 429) return 'rate-limit';
  if (status >= 500) return 'server-error';
  if ([404, 405, 410].includes(status))
    return /model/i.test(wordsOf(thrown)) ? 'no-such-model' : 'wrong-address';
  const blamesModel =
    /model\b.*\b(?:not|invalid|unknown|exist)|(?:not a valid|invalid|unknown|no such) model/i;
  return blamesModel.test(wordsOf(thrown)) ? 'no-such-model' : 'refused';
}

/** Which of them it is shows the server's list, where it has one. */
async function lookAtList(
  thrown: unknown,
  problem: ModelProblem,
  provider: Provider,
  name: string | undefined,
  failed: (problem: ModelProblem, message: string) => FailedTest,
): Promise<FailedTest> {
  const answer = provider.baseUrl === '' ? undefined : await getFromServer(provider, 'models', 5000);
  const listed = answer && 'json' in answer ? idsIn(answer.json) : undefined;
  if (name !== undefined && listed && !listed.includes(name)) {
    const near = nearest(name, listed).slice(0, 3);
    const others = near.length > 0 ? near : listed.slice(0, 3);
    const hint =
      others.length === 0
        ? 'It lists no models.'
        : `It has, for example, ${others.map(shownLine).join(', ')}.`;
    return failed('no-such-model', `${at(provider)} has no model "${name}". ${hint}`);
  }
  // A server that lists models has the right address.
  const actual = problem === 'wrong-address' && listed ? 'refused' : problem;
  return failed(actual, describe(actual, provider, name, thrown));
}

function describe(
  problem: ModelProblem,
  provider: Provider,
  name: string | undefined,
  thrown: unknown,
): string {
  const words = wordsOf(thrown);
  const said = words === '' ? '' : ` It said: ${words.replace(/[.!]?$/, '.')}`;
  const { addressPlace, keyPlace } = provider;
  const variable = presetOf(provider.id)?.keyVariable;
  const store = variable === undefined ? '' : `: \`${pegboard} secret set ${variable}\` stores it`;
  const where = at(provider);
  switch (problem) {
    case 'unreachable':
      return `${where} can't be reached: ${asSentence(reasonOf(thrown))} ${provider.local ? `Start the server, or correct ${addressPlace}` : `Check the network and ${addressPlace}`}.`;
    case 'wrong-address':
      return `${where} answers, but not like a server of language models. Check ${addressPlace}: an address often ends in /v1.`;
    case 'no-key':
      return `${where} wants a key, and there is none. Set ${keyPlace}${store}.`;
    case 'key-refused':
      return `${where} refused the key. Check ${keyPlace}.${said}`;
    case 'no-such-model':
      return `${where} has no model "${name ?? ''}".${said}`;
    case 'no-credit':
      return `The account at ${where} has no credit left, or its quota is used up. Add credit there, or choose another provider.${said}`;
    case 'rate-limit':
      return `${where} limits the number of requests just now. Try again later.${said}`;
    case 'timeout':
      return `${where} did not answer in time. Try again, or choose a faster model.`;
    case 'server-error':
      return `${where} has a problem of its own. Try again later.${said}`;
    case 'not-configured':
    case 'refused':
      return messageOf(thrown);
  }
}

/**
 * "openai (https://api.openai.com/v1)", without what a URL may contain besides its address; the address alone, where
 * set-up chose the name.
 */
function at({ id, baseUrl }: Provider): string {
  const url = URL.parse(baseUrl);
  if (!url) return id;
  const address = `${url.origin}${url.pathname.replace(/\/$/, '')}`;
  return id === ownProvider ? address : `${id} (${address})`;
}

/** The provider's own words in the message of `toModelError`. */
function wordsOf(thrown: unknown): string {
  const said = /(?:refused the request \(\d+\)|answered \d+): ([^]*)$/.exec(messageOf(thrown))?.[1] ?? '';
  return said.replace(/ (?:Check the key of|The account has|The key may not|Check the name)[^]*$/, '').trim();
}

const reasons: { readonly [code: string]: string } = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the name of the host could not be looked up',
  ETIMEDOUT: 'the connection timed out',
  ECONNRESET: 'the connection was closed',
};

function reasonOf(thrown: unknown): string {
  const said = /could not be reached: ([^]*?)\.?$/.exec(messageOf(thrown))?.[1] ?? messageOf(thrown);
  const code = Object.keys(reasons).find((known) => said.includes(known));
  return code === undefined ? said : `${reasons[code]} (${code})`;
}
