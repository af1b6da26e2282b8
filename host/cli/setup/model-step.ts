import type { Unstored } from '../../agent/models/create-models.ts';
import { ownProvider } from '../../agent/models/choice/provider.ts';
import { createPartner } from '../prompt/chat/partner.ts';
import { usageError } from '../parse.ts';
import { writeConfigValue } from '../../write-config.ts';
import { askModel, describeFailed } from '../models/ask-model.ts';
import { shownLine } from '../../core/foreign/shown-text.ts';
import { keyOf, nameAtAddress, openModelQuestions, ownKey, type WantedModel } from './ask-for-model.ts';
import type { SetupPlace, StepEnd } from './step.ts';
import { storeSecret } from './store-secret.ts';

/** Connects a model: tested with one request before anything is stored. */
export async function setUpModel(place: SetupPlace): Promise<StepEnd> {
  const { options, asks, terminal } = place;
  const given = options.value('model');
  if (given !== undefined) return await connect(fromOptions(given, place), place, givenPlaces);
  const [present] = modelsOf(place);
  if (!asks) return present === undefined ? 'skipped' : 'kept';
  const questions = await openModelQuestions(present, place);
  for (;;) {
    const wanted = await questions.ask();
    if (wanted === 'none' || place.signal.aborted) return present === undefined ? 'skipped' : 'kept';
    // Whoever cancels a question about one model may choose another.
    if (wanted === undefined) continue;
    if ((await connect(wanted, place, typedPlaces)) === 'done') return 'done';
    terminal.err.line('Nothing was stored.');
  }
}

/** What a person corrects, as problems name it. */
interface Places {
  readonly addressPlace: string;
  readonly keyPlace: string;
}

const givenPlaces: Places = { addressPlace: '--base-url', keyPlace: 'the key on stdin (--model-key-stdin)' };
const typedPlaces: Places = { addressPlace: 'the address', keyPlace: 'the key' };

/** In the order in which they are tried. Empty: none is connected, or the configuration can't be read. */
export function modelsOf({ host }: SetupPlace): readonly string[] {
  try {
    return createPartner(host, undefined).models();
  } catch {
    return [];
  }
}

function fromOptions(given: string, { options, command, secret: value }: SetupPlace): WantedModel {
  const baseUrl = options.value('base-url');
  const model = baseUrl === undefined ? given : nameAtAddress(given);
  const secret = baseUrl === undefined ? keyOf(given.split('/')[0]!) : ownKey;
  const key = options.flag('model-key-stdin') ? value : undefined;
  if (key !== undefined && secret === undefined)
    throw usageError(command, `--model-key-stdin: the provider of "${given}" takes no key.`);
  return {
    model,
    ...(baseUrl !== undefined && { baseUrl }),
    ...(key !== undefined && { key: { secret: secret!, value: key } }),
  };
}

async function connect(wanted: WantedModel, place: SetupPlace, places: Places): Promise<StepEnd> {
  const { terminal, host } = place;
  const { model: named, baseUrl, key = keptKey(wanted, place) } = wanted;
  const { models } = await host.agents();
  const unstored = unstoredOf({ ...wanted, ...(key && { key }) }, places);
  const tested = await askModel(models, named, { ...place, unstored });
  if (!tested.ok) {
    terminal.err.line(terminal.err.style.bad(describeFailed(tested, named)));
    return 'failed';
  }
  const model = models.check(named, unstored);
  if (key) await storeSecret(key.secret, key.value, place);
  // Nobody would find the key of an address that is forgotten.
  else if (baseUrl !== undefined) await host.secrets.delete(ownKey);
  if (baseUrl !== undefined)
    await writeConfigValue(host.home, host.surroundings, ['models', 'providers', ownProvider], {
      base_url: baseUrl,
      ...(key && { api_key: `\${${key.secret}}` }),
    });
  await writeConfigValue(host.home, host.surroundings, ['models', 'default'], model);
  await host.reloadConfig();
  const seconds = (tested.ms / 1000).toFixed(1);
  terminal.err.line(`${terminal.err.style.good('✓')} ${shownLine(model)} answers (${seconds} s).`);
  return 'done';
}

/** The key that is stored for the same address. Another server must not get it. */
function keptKey({ baseUrl }: WantedModel, { host }: SetupPlace): WantedModel['key'] {
  const value = host.secrets.get(ownKey);
  const isSame = baseUrl !== undefined && host.config.models?.providers?.[ownProvider]?.base_url === baseUrl;
  return isSame && value !== undefined ? { secret: ownKey, value } : undefined;
}

/** Undefined: everything that the model needs is there. */
function unstoredOf({ baseUrl, key }: WantedModel, places: Places): Unstored | undefined {
  if (baseUrl === undefined && !key) return undefined;
  return {
    entry: { ...(baseUrl !== undefined && { base_url: baseUrl }), ...(key && { api_key: key.value }) },
    places,
  };
}
