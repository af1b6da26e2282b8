import { nameMistake } from '../../agent/models/choice/choose.ts';
import { presets } from '../../agent/models/choice/presets.ts';
import { addressMistake, findProvider, ownProvider } from '../../agent/models/choice/provider.ts';
import { findLocalModels, type LocalServer } from '../../agent/models/choice/local-models.ts';
import { getFromServer, idsIn, type ServerAnswer } from '../../agent/models/wire/ask-server.ts';
import { environmentOf } from '../../home-environment.ts';
import { sayKeyMistake } from './read-secret.ts';
import { choose, type MenuItem } from '../terminal/choose.ts';
import { openSpinner } from '../terminal/progress.ts';
import { shownMessage } from '../terminal/safe.ts';
import { shownLine } from '../../core/foreign/shown-text.ts';
import { showForm } from '../terminal/show-form.ts';
import type { SetupPlace } from './step.ts';

/** A model, and what its provider needs that isn't stored yet. */
export interface WantedModel {
  /** "openai/gpt-5-mini" */
  readonly model: string;
  /** Of a provider that Pegboard doesn't know by name. */
  readonly baseUrl?: string;
  readonly key?: { readonly secret: string; readonly value: string };
}

export const ownKey = 'OWN_MODEL_KEY';
/** A server without a list in this time is asked for no list. */
const listTimeoutMs = 5_000;

/** Providers that are offered by name, with the model that is suggested. */
const offered = [
  { provider: 'openai', name: 'OpenAI', model: 'gpt-5-mini' },
  { provider: 'anthropic', name: 'Anthropic', model: 'claude-haiku-4-5' },
  { provider: 'openrouter', name: 'OpenRouter', model: 'openai/gpt-5-mini' },
] as const;

/** The full name of a model at an address that is given with it. `own/small` is what pegboard.yaml calls it afterwards. */
export const nameAtAddress = (name: string): string =>
  name.startsWith(`${ownProvider}/`) ? name : `${ownProvider}/${name}`;

export const keyOf = (provider: string): string | undefined =>
  (presets as { readonly [id: string]: { readonly keyVariable?: string } })[provider]?.keyVariable;

type Choice =
  | { readonly kind: 'local'; readonly model: string }
  | ({ readonly kind: 'named' } & (typeof offered)[number])
  | { readonly kind: 'address' }
  | { readonly kind: 'none' };

/** What was typed before a test failed or a question was cancelled. */
interface Typed {
  choice?: number;
  address?: string;
  readonly keys: Map<string, string>;
  readonly models: Map<string, string>;
}

/** Asks which model answers, as often as it is called: what was typed before is there again. */
export interface ModelQuestions {
  /** `none`: the person keeps what there is, or wants none now. Undefined: a question about the model was cancelled. */
  ask(): Promise<WantedModel | 'none' | undefined>;
}

export async function openModelQuestions(
  present: string | undefined,
  place: SetupPlace,
): Promise<ModelQuestions> {
  const local = await findLocalModels(environmentOf(place.home, place.host.surroundings));
  const items = choicesOf(local, present);
  const typed: Typed = { keys: new Map(), models: new Map() };
  // What runs here already is the first choice, otherwise what stores nothing.
  const start = local.length > 0 && present === undefined ? 0 : items.length - 1;
  return {
    async ask() {
      const picked = await choose('Which model answers?', items, place, typed.choice ?? start);
      if (picked === undefined || picked.value.kind === 'none') return 'none';
      typed.choice = items.indexOf(picked);
      const { value } = picked;
      if (value.kind === 'local') return { model: value.model };
      return value.kind === 'named'
        ? await askForNamed(value, typed, place)
        : await askForAddress(typed, place);
    },
  };
}

function choicesOf(local: readonly LocalServer[], present: string | undefined): readonly MenuItem<Choice>[] {
  return [
    ...local.map(({ provider, name, models }) => ({
      value: { kind: 'local', model: `${provider}/${models[0]}` } as const,
      label: `${shownLine(models[0]!)}, from ${name} on this machine`,
    })),
    ...offered.map((one) => ({
      value: { kind: 'named', ...one } as const,
      label: one.name,
      hint: 'needs a key',
    })),
    { value: { kind: 'address' }, label: 'Another address that speaks the API of OpenAI' },
    { value: { kind: 'none' }, label: present === undefined ? 'Not now' : `Keep ${shownLine(present)}` },
  ];
}

async function askForNamed(
  { provider, name, model }: (typeof offered)[number],
  typed: Typed,
  place: SetupPlace,
): Promise<WantedModel | undefined> {
  const secret = keyOf(provider)!;
  const known = environmentOf(place.home, place.host.surroundings)[secret] ?? place.host.secrets.get(secret);
  const value = known === undefined ? await askForKey(`Key for ${name}`, secret, typed, place) : undefined;
  if (known === undefined && !value) return undefined;
  const chosen = await askForName(`Model at ${name}`, provider, typed, place, model);
  if (!chosen) return undefined;
  return { model: `${provider}/${chosen}`, ...(value && { key: { secret, value } }) };
}

async function askForAddress(typed: Typed, place: SetupPlace): Promise<WantedModel | undefined> {
  const baseUrl = await askForReachable(typed, place);
  if (!baseUrl) return undefined;
  const access = await askForAccess(baseUrl, typed, place);
  if (access === undefined) return undefined;
  const { key: value, answer } = access;
  const model = await chooseModel(answer, baseUrl, typed, place);
  if (!model) return undefined;
  return {
    model,
    baseUrl,
    ...(value !== '' && { key: { secret: ownKey, value } }),
  };
}

/** An address where something answers. Undefined when cancelled. */
async function askForReachable(typed: Typed, place: SetupPlace): Promise<string | undefined> {
  for (;;) {
    const baseUrl = await askText('Address, up to /v1', place, {
      placeholder: 'http://localhost:8000/v1',
      ...(typed.address !== undefined && { initialValue: typed.address }),
      validate: (text) => {
        const mistake = addressMistake(text?.trim() ?? '');
        return mistake === undefined ? undefined : `This ${mistake}`;
      },
    });
    if (!baseUrl) return undefined;
    // Another server must not get the key of the one before.
    if (typed.address !== baseUrl) typed.keys.delete(ownKey);
    typed.address = baseUrl;
    const problem = await problemOf(baseUrl, place);
    if (problem === undefined) return baseUrl;
    const { err } = place.terminal;
    err.line(err.style.bad(shownMessage(problem)));
  }
}

async function problemOf(baseUrl: string, place: SetupPlace): Promise<string | undefined> {
  const answer = await askModelsAt(baseUrl, '', 'Looking whether it answers', place);
  if ('unreachable' in answer)
    return `Nothing answers at ${baseUrl}: ${answer.unreachable}. Correct the address.`;
  if (!('redirectedTo' in answer)) return undefined;
  return `${baseUrl} redirects to another server, ${answer.redirectedTo}. If you trust that one, type its address.`;
}

/** Empty: there is none. Undefined when cancelled. */
async function askForKey(
  question: string,
  secret: string,
  typed: Typed,
  place: SetupPlace,
): Promise<string | undefined> {
  const before = typed.keys.get(secret);
  const message = before === undefined ? question : `${question} (Enter keeps the one from before)`;
  const answer = await showForm(place, ({ password }, streams) =>
    password({ ...streams, message, validate: sayKeyMistake }),
  );
  const value = answer?.trim() === '' ? (before ?? '') : answer?.trim();
  if (value) typed.keys.set(secret, value);
  return value;
}

/** A key, and what the server answers to it when it is asked for its models. Undefined when cancelled. */
async function askForAccess(
  baseUrl: string,
  typed: Typed,
  place: SetupPlace,
): Promise<{ readonly key: string; readonly answer: ServerAnswer } | undefined> {
  let refused: string | undefined;
  for (;;) {
    const key = await askForKey('Key, if it needs one', ownKey, typed, place);
    if (key === undefined) return undefined;
    const answer = await askModelsAt(baseUrl, key, 'Asking for its models', place);
    // Some servers refuse the list, but not the work: whoever insists on a key goes on with it.
    if (!('status' in answer) || answer.status !== 401 || key === refused) return { key, answer };
    refused = key;
    const said = key === '' ? 'It wants a key (401).' : 'It refuses this key (401).';
    const { err } = place.terminal;
    err.line(err.style.bad(`${said} Type another one; Enter goes on without a change, Esc goes back.`));
  }
}

/** The full name of one of those that the server lists, or of one that is typed in. Undefined when cancelled. */
async function chooseModel(
  answer: ServerAnswer,
  baseUrl: string,
  typed: Typed,
  place: SetupPlace,
): Promise<string | undefined> {
  const listed = ('json' in answer ? idsIn(answer.json) : undefined) ?? [];
  if ('status' in answer && answer.status === 404)
    place.terminal.err.line(
      `There is no list of models at ${baseUrl}/models (404): check the address if the test below fails.`,
    );
  const items: MenuItem<string | undefined>[] = [
    ...listed.map((value) => ({ value, label: shownLine(value) })),
    { value: undefined, label: 'Another one', hint: 'type its name' },
  ];
  const picked = listed.length > 0 ? await choose('Which of its models?', items, place, 0) : items.at(-1);
  if (picked?.value !== undefined) return `${ownProvider}/${picked.value}`;
  const name = picked && (await askForName('Name of the model there', ownProvider, typed, place));
  return name && nameAtAddress(name);
}

function askModelsAt(baseUrl: string, key: string, doing: string, place: SetupPlace): Promise<ServerAnswer> {
  const entry = { base_url: baseUrl, ...(key !== '' && { api_key: key }) };
  const provider = findProvider(ownProvider, { providers: { [ownProvider]: entry } }, {})!;
  const waiting = openSpinner(place.terminal, doing);
  return getFromServer(provider, 'models', listTimeoutMs).finally(() => waiting[Symbol.dispose]());
}

/** The name of a model at a provider. Undefined when cancelled. */
async function askForName(
  message: string,
  provider: string,
  typed: Typed,
  place: SetupPlace,
  suggested?: string,
): Promise<string | undefined> {
  const initialValue = typed.models.get(provider) ?? suggested;
  const name = await askText(message, place, {
    ...(initialValue !== undefined && { initialValue }),
    // An empty name goes back.
    validate: (text) => (text?.trim() ? nameMistake(`${provider}/${text.trim()}`) : undefined),
  });
  if (name) typed.models.set(provider, name);
  return name;
}

/** Undefined when cancelled. */
async function askText(
  message: string,
  place: SetupPlace,
  help: {
    readonly initialValue?: string;
    readonly placeholder?: string;
    readonly validate?: (text: string | undefined) => string | undefined;
  },
): Promise<string | undefined> {
  const answer = await showForm(place, ({ text }, streams) => text({ ...streams, message, ...help }));
  return answer?.trim();
}
