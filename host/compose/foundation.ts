import { join } from 'node:path';
import { openSettings, type Settings } from './settings.ts';
import { embedderOf } from '../agent/models/choice/embedder-settings.ts';
import { createSpeech } from '../agent/models/speech/create-speech.ts';
import type { ModelUsage, Speech } from '../api/model.ts';
import type { Registry } from '../api/source.ts';
import { localTimeZone } from '../core/time-zone.ts';
import { variables } from '../core/variables.ts';
import { createKnownAddresses, type KnownAddresses } from '../dispatch/provenance/known-addresses.ts';
import type { HostOptions } from '../host.ts';
import { createHosts, type Hosts } from './hosts.ts';
import type { LazyEngine } from './lazy-engine.ts';
import { openStores, type Stores } from './open-stores.ts';
import { createHistory } from '../store/conversations/history.ts';
import type { Embeddings, EmbeddingsEndpoint } from '../api/services/kernel-tokens.ts';
import { unreadableIn } from '../store/secrets/secrets.ts';
import { createUsage, type Usage } from '../store/usage/usage.ts';
import { createVectors } from '../store/vectors.ts';
import { createRegistry } from '../tools/registry.ts';

/** The base of every other part of a host; it doesn't know tools, agents or plugins. */
export interface Foundation extends Stores, Settings {
  readonly timezone: string;
  readonly registry: Registry;
  /** What the configuration names for search and recall. None in a home that is only read. */
  readonly embeddings: Embeddings;
  readonly speech: Speech;
  readonly engine: LazyEngine;
  readonly hosts: Hosts;
  readonly addresses: KnownAddresses;
  /** Opened when it is first needed, because an invalid time zone matters only then. */
  usage(): Usage;
  /** The path of something in `<home>/data`. */
  readonly data: (name: string) => string;
}

/** What is opened is closed with `opened`. Throws as `createHost` does. */
export async function openFoundation(
  options: HostOptions,
  opened: AsyncDisposableStack,
): Promise<Foundation> {
  const read = await openSettings(options, opened);
  const { home, reading, surroundings, stateFolder, environment, config, redactor, secrets, shared, log } =
    read;
  const { state } = config.current.config;
  const kept = {
    state,
    redactor,
    log,
    notice: options.notice,
    reading,
    stateFolder,
    user: surroundings,
    shared,
  };
  const stores = openStores(home, kept);
  if (!shared) opened.use(stores.database);
  const { hosts, engine } = createHosts({
    home,
    database: stores.database,
    log,
    unreadableSecrets: () => unreadableIn(secrets),
  });
  opened.use(engine);
  const timezone = environment['TIMEZONE'] || localTimeZone(environment);
  let usage: Usage | undefined;
  const openUsage = (): Usage => (usage ??= createUsage(stores.database, { timeZone: timezone }));
  const registry = createRegistry(log);
  const payAs = payWith(openUsage, () => config.current.config.models.spendPerDay);
  let chosenIn: { readonly models: object; readonly endpoint: EmbeddingsEndpoint | undefined } | undefined;
  const environmentOfModels = variables(read.resolveForModels);
  return {
    ...stores,
    ...read,
    timezone,
    registry,
    embeddings: {
      endpoint() {
        const { models } = config.current.config;
        if (models !== chosenIn?.models)
          chosenIn = { models, endpoint: reading ? undefined : embedderOf(models, environmentOfModels, log) };
        return chosenIn.endpoint;
      },
      pay: payAs('embeddings'),
      cache: createVectors(stores.database),
    },
    speech: createSpeech({
      config: () => config.current.config.models,
      environment: environmentOfModels,
      pay: async (payer, model, signal) => await payAs(payer)(model, signal),
      redact: (text) => redactor.text(text),
    }),
    engine,
    hosts,
    addresses: createKnownAddresses(createHistory(stores.database)),
    usage: openUsage,
    data: (name) => join(home, 'data', name),
  };
}

/**
 * Records each request, and refuses requests over the home's budget. `cap`: US dollars per day. `payer`: the name in
 * `pegboard usage` of what belongs to no agent.
 */
const payWith =
  (usage: () => Usage, cap: () => number | undefined) =>
  (payer: string) =>
  async (model: string, signal: AbortSignal) => {
    const home = cap();
    const caps = home === undefined ? {} : { home };
    const money = await usage().reserve({ agent: payer, model, caps, signal });
    return {
      settle: (used: ModelUsage) => money.settle({ agent: payer, model, source: payer, usage: used }),
      [Symbol.asyncDispose]: () => money[Symbol.asyncDispose](),
    };
  };
