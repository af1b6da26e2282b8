import { presets } from '../../agent/models/choice/presets.ts';
import { findProvider } from '../../agent/models/choice/provider.ts';
import { findLocalModels, type LocalServer } from '../../agent/models/choice/local-models.ts';
import type { ModelTest } from '../../agent/models/test-model.ts';
import { listModels } from '../../agent/models/wire/ask-server.ts';
import { environmentOf } from '../../home-environment.ts';
import { createPartner } from '../prompt/chat/partner.ts';
import { usageError } from '../parse.ts';
import { writeConfigValue } from '../../write-config.ts';
import { choose, type MenuItem } from '../terminal/choose.ts';
import { openSpinner } from '../terminal/progress.ts';
import { oneLine, safeForTerminal } from '../terminal/safe.ts';
import { showForm } from '../terminal/show-form.ts';
import { readStdin } from '../tools/given-text.ts';
import type { SetupPlace, StepEnd } from './step.ts';

/** A model, and what its provider needs that isn't stored yet. */
interface Wanted {
  /** "openai/gpt-5-mini" */
  readonly model: string;
  /** Of a provider that Pegboard doesn't know by name. */
  readonly baseUrl?: string;
  readonly key?: { readonly secret: string; readonly value: string };
}

/** The provider in pegboard.yaml of an address that was typed in. */
const ownProvider = 'own';
const ownKey = 'OWN_MODEL_KEY';
/** A server without a list in this time is asked for no list. */
const listTimeoutMs = 5_000;

/** Providers that are offered by name, with the model that is suggested. */
const offered = [
  { provider: 'openai', name: 'OpenAI', model: 'gpt-5-mini' },
  { provider: 'anthropic', name: 'Anthropic', model: 'claude-haiku-4-5' },
  { provider: 'openrouter', name: 'OpenRouter', model: 'openai/gpt-5-mini' },
] as const;

/** Connects a model: tested with one request before anything is stored. */
export async function setUpModel(place: SetupPlace): Promise<StepEnd> {
  const { options, asks, terminal, host } = place;
  const given = options.value('model');
  if (given !== undefined) return await connect(await fromOptions(given, place), place);
  const [present] = modelsOf(place);
  if (!asks) return present === undefined ? 'skipped' : 'kept';
  const local = await findLocalModels(environmentOf(host.home));
  for (;;) {
    const wanted = await ask(present, local, place);
    if (wanted === 'none' || place.signal.aborted) return present === undefined ? 'skipped' : 'kept';
    // Whoever cancels a question about one model may choose another.
    if (wanted === undefined) continue;
    if ((await connect(wanted, place)) === 'done') return 'done';
    terminal.err.line('Nothing was stored.');
  }
}

function modelsOf({ host }: SetupPlace): readonly string[] {
  try {
    return createPartner(host, undefined).models();
  } catch {
    return [];
  }
}

async function fromOptions(given: string, { options, command }: SetupPlace): Promise<Wanted> {
  const baseUrl = options.value('base-url');
  const value = options.flag('model-key-stdin') ? (await readStdin()).trim() : undefined;
  if (value === '') throw usageError(command, '--model-key-stdin: there is no key on stdin.');
  const model = baseUrl === undefined ? given : `${ownProvider}/${given}`;
  const secret = baseUrl === undefined ? keyOf(given.split('/')[0]!) : ownKey;
  if (value !== undefined && secret === undefined)
    throw usageError(command, `--model-key-stdin: the provider of "${given}" takes no key.`);
  return {
    model,
    ...(baseUrl !== undefined && { baseUrl }),
    ...(value !== undefined && { key: { secret: secret!, value } }),
  };
}

const keyOf = (provider: string): string | undefined =>
  (presets as { readonly [id: string]: { readonly keyVariable?: string } })[provider]?.keyVariable;

type Choice =
  | { readonly kind: 'local'; readonly model: string }
  | ({ readonly kind: 'named' } & (typeof offered)[number])
  | { readonly kind: 'address' }
  | { readonly kind: 'none' };

/** `none`: the person keeps what there is, or wants none now. Undefined: a question about the model was cancelled. */
async function ask(
  present: string | undefined,
  local: readonly LocalServer[],
  place: SetupPlace,
): Promise<Wanted | 'none' | undefined> {
  const items: MenuItem<Choice>[] = [
    ...local.map(({ provider, name, models }) => ({
      value: { kind: 'local', model: `${provider}/${models[0]}` } as const,
      label: `${oneLine(models[0]!)}, from ${name} on this machine`,
    })),
    ...offered.map((one) => ({
      value: { kind: 'named', ...one } as const,
      label: one.name,
      hint: 'needs a key',
    })),
    { value: { kind: 'address' }, label: 'Another address that speaks the API of OpenAI' },
    { value: { kind: 'none' }, label: present === undefined ? 'Not now' : `Keep ${oneLine(present)}` },
  ];
  // What runs here already is the first choice, otherwise what stores nothing.
  const start = local.length > 0 && present === undefined ? 0 : items.length - 1;
  const picked = (await choose('Which model answers?', items, place, start))?.value;
  if (picked === undefined || picked.kind === 'none') return 'none';
  if (picked.kind === 'local') return { model: picked.model };
  return picked.kind === 'named' ? await askForKey(picked, place) : await askForAddress(place);
}

async function askForKey(
  { provider, name, model }: (typeof offered)[number],
  place: SetupPlace,
): Promise<Wanted | undefined> {
  const secret = keyOf(provider)!;
  const known = environmentOf(place.home)[secret] ?? place.host.secrets.get(secret);
  const value = known === undefined ? await askSecret(`Key for ${name}`, place) : undefined;
  if (known === undefined && !value) return undefined;
  const chosen = await askText(`Model at ${name}`, place, { initialValue: model });
  if (!chosen) return undefined;
  return { model: `${provider}/${chosen}`, ...(value && { key: { secret, value } }) };
}

async function askForAddress(place: SetupPlace): Promise<Wanted | undefined> {
  const baseUrl = await askText('Address, up to /v1', place, {
    placeholder: 'http://localhost:8000/v1',
  });
  const value = baseUrl && (await askSecret('Key, if it needs one', place));
  if (!baseUrl || value === undefined) return undefined;
  const model = await chooseModelAt(baseUrl, value, place);
  if (!model) return undefined;
  return {
    model: `${ownProvider}/${model}`,
    baseUrl,
    ...(value !== '' && { key: { secret: ownKey, value } }),
  };
}

/** One of those that the server lists, or one that is typed in. Undefined when cancelled. */
async function chooseModelAt(baseUrl: string, key: string, place: SetupPlace): Promise<string | undefined> {
  const listed = await modelsAt(baseUrl, key, place);
  const items: MenuItem<string | undefined>[] = [
    ...listed.map((value) => ({ value, label: oneLine(value) })),
    { value: undefined, label: 'Another one', hint: 'type its name' },
  ];
  const picked = listed.length > 0 ? await choose('Which of its models?', items, place, 0) : items.at(-1);
  return picked && (picked.value ?? (await askText('Name of the model there', place)));
}

async function modelsAt(baseUrl: string, key: string, place: SetupPlace): Promise<readonly string[]> {
  const entry = { base_url: baseUrl, ...(key !== '' && { api_key: key }) };
  const provider = findProvider(ownProvider, { providers: { [ownProvider]: entry } }, {});
  using _waiting = openSpinner(place.terminal, 'Asking for its models');
  return (provider && (await listModels(provider, listTimeoutMs))) ?? [];
}

/** Undefined when cancelled. */
async function askText(
  message: string,
  place: SetupPlace,
  help: { readonly initialValue?: string; readonly placeholder?: string } = {},
): Promise<string | undefined> {
  const answer = await showForm(place, ({ text }, streams) => text({ ...streams, message, ...help }));
  return answer?.trim();
}

/** Undefined when cancelled. */
async function askSecret(message: string, place: SetupPlace): Promise<string | undefined> {
  const answer = await showForm(place, ({ password }, streams) => password({ ...streams, message }));
  return answer?.trim();
}

async function connect(wanted: Wanted, place: SetupPlace): Promise<StepEnd> {
  const { terminal, host } = place;
  const { model, baseUrl, key } = wanted;
  const tested = await test(wanted, place);
  if (!tested.ok) {
    terminal.err.line(terminal.err.style.bad(safeForTerminal(tested.message)));
    return 'failed';
  }
  if (key) await host.secrets.set(key.secret, key.value, 'owner');
  if (baseUrl !== undefined)
    await writeConfigValue(host.home, ['models', 'providers', ownProvider], {
      base_url: baseUrl,
      ...(key && { api_key: `\${${key.secret}}` }),
    });
  await writeConfigValue(host.home, ['models', 'default'], model);
  await host.reloadConfig();
  const seconds = (tested.ms / 1000).toFixed(1);
  terminal.err.line(`${terminal.err.style.good('✓')} ${oneLine(tested.model)} answers (${seconds} s).`);
  return 'done';
}

async function test(
  { model, baseUrl, key }: Wanted,
  { host, terminal, signal }: SetupPlace,
): Promise<ModelTest> {
  const { models } = await host.agents();
  using _waiting = openSpinner(terminal, `Asking ${oneLine(model)} for a word`);
  const entry = {
    ...(baseUrl !== undefined && { base_url: baseUrl }),
    ...(key && { api_key: key.value }),
  };
  return await models.test(model, { signal, ...(Object.keys(entry).length > 0 && { entry }) });
}
