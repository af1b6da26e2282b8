import type { Logger } from '../api/log.ts';
import type { Surroundings } from '../api/surroundings.ts';
import { brokenConfig, loadConfig, type LoadedConfig } from '../config.ts';
import { createHomeLogger, keepsDebug, silentLogger } from '../core/log.ts';
import { userStateFolder, type User } from '../core/platform/places.ts';
import { processSurroundings } from '../core/platform/surroundings.ts';
import type { Platform } from '../core/requirements.ts';
import { isProjectHome } from '../core/files/project.ts';
import { makeDataPrivate } from '../core/files/private-data.ts';
import { createRedactor, type Redactor } from '../core/secrets/redact.ts';
import type { WhyUnset } from '../core/secrets/why-unset.ts';
import { environmentOf } from '../home-environment.ts';
import { changedHome, homeTrust, requireKnown } from '../home-trust.ts';
import type { HostOptions } from '../host.ts';
import { learnConfiguredSecrets, learnAmbientSecrets } from './ambient-secrets.ts';
import { modelsOfUser, ownModelVariables, type ModelsOfUser } from '../models-of-user.ts';
import { openOwnSecrets, passphraseIn, redactedBy, withSharedSecrets } from './home-secrets.ts';
import { openSharedState, sharedPlaceOf, type SharedState } from './shared-state.ts';
import { requireOwnData } from '../store/owner/private-links.ts';
import { changedSinceTrusted } from '../store/owner/known-homes.ts';
import { syncFromEnvironment, type SecretOptions, type SecretStore } from '../store/secrets/secrets.ts';
import { whyUnsetIn } from '../store/secrets/why-unset.ts';

/** What the home and its surroundings say: configuration, secrets, and where to log. */
export interface Settings {
  readonly home: string;
  readonly surroundings: Surroundings;
  /** Nothing in the home runs, and nothing is written into it. */
  readonly reading: boolean;
  readonly development: boolean;
  /** Including the home's .env: for Pegboard's own configuration. */
  readonly environment: Platform;
  /** Without the home's .env: for code and tools of spaces. */
  readonly outerEnvironment: Platform;
  /** A variable of `environment`, or a secret. */
  readonly resolve: (name: string) => string | undefined;
  /**
   * The same for choosing models: those of the user's own home where a project's home takes its models from there, and
   * none of the process where it has its own.
   */
  readonly resolveForModels: (name: string) => string | undefined;
  /** A variable of `outerEnvironment`, or a secret. */
  readonly resolveForSpaces: (name: string) => string | undefined;
  readonly whyUnset: WhyUnset;
  readonly config: Configuration;
  readonly redactor: Redactor;
  readonly secrets: SecretStore;
  /** Absent: other hosts share nothing with this one but the files of its home. */
  readonly shared: SharedState | undefined;
  /** Seals what hosts share. */
  readonly passphrase: string | undefined;
  readonly log: Logger;
  /** Sets the listener that removes a newly stored secret from earlier conversations; replaces the previous one. */
  onSecretStored(listener: (value: string) => Promise<void>): void;
  /** The user's state folder. */
  readonly stateFolder: string;
}

/** The last valid configuration. */
interface Configuration {
  readonly current: LoadedConfig;
  /** Its models are those of the user's own home. */
  readonly usesModelsOfUser: boolean;
  /** Reads the files again. False when they are broken: the last valid configuration stays, with diagnostics. */
  reload(): Promise<boolean>;
}

/** What is opened is closed with `opened`. Throws as `createHost` does. */
export async function openSettings(options: HostOptions, opened: AsyncDisposableStack): Promise<Settings> {
  const { home, reading = false, development = false, surroundings = processSurroundings() } = options;
  const { environment: outer = surroundings.env, stateFolder = userStateFolder(surroundings) } = options;
  const user: User = { ...surroundings, env: outer };
  requireOwnData(home, surroundings);
  const environment = environmentOf(home, user);
  if (!reading && !options.trustHome) await requireKnown(home, surroundings);
  const wereLoose = reading ? [] : makeDataPrivate(home, stateFolder);

  const redactor = createRedactor();
  let scrub = async (_value: string): Promise<void> => {};
  learnAmbientSecrets(redactor, home, user);
  const place = { home, reading, stateFolder };
  const { secrets, shared } = await openSecretsAndState(place, environment, redactor, {
    ...redactedBy(redactor, environment),
    onStored: (value) => scrub(value),
  });
  if (shared) opened.use(shared);
  redactor.refreshWith(() => secrets.refresh());
  const resolve = (name: string): string | undefined => environment[name] ?? secrets.get(name);

  const whyUnset = whyUnsetIn(environment, secrets);
  const isShared = isProjectHome(home, surroundings);
  const ofUser = isShared && !reading ? await modelsOfUser(redactor, outer, surroundings) : undefined;
  const finding = { surroundings, resolve, whyUnset, redactor, secrets, ofUser };
  const config = await openConfiguration(options, finding);
  const log = openLog(options, surroundings, redactor, opened);
  if (wereLoose.length > 0)
    log.warn('other users of this machine could access stored data; this has been fixed', {
      paths: wereLoose.slice(0, 20),
    });
  if (!reading)
    await syncFromEnvironment(secrets, environment).catch((cause: unknown) =>
      log.warn('EXT_ variables could not be stored as secrets', { cause }),
    );
  if (shared)
    opened.use(
      shared.documents.follow((cause) =>
        log.warn('what other hosts approved or stored could not be read', { cause }),
      ),
    );
  const ownForModels = isShared ? ownModelVariables(home, secrets, surroundings) : resolve;
  return {
    ...place,
    surroundings,
    development,
    environment,
    outerEnvironment: outer,
    resolve,
    resolveForModels: (name) => (config.usesModelsOfUser ? ofUser!.resolve : ownForModels)(name),
    resolveForSpaces: (name) => outer[name] ?? secrets.get(name),
    whyUnset,
    config,
    redactor,
    secrets,
    shared,
    passphrase: passphraseIn(environment),
    log,
    onSecretStored: (listener) => void (scrub = listener),
  };
}

function openLog(
  { home, reading }: HostOptions,
  { env }: Surroundings,
  redactor: Redactor,
  opened: AsyncDisposableStack,
): Logger {
  if (reading) return silentLogger;
  return opened.use(createHomeLogger(home, (text) => redactor.text(text), { debug: keepsDebug(env) }));
}

/** The secrets come first: the configuration may name them, and `state` in it those of this machine alone. */
async function openSecretsAndState(
  {
    home,
    reading,
    stateFolder,
  }: { readonly home: string; readonly reading: boolean; readonly stateFolder: string },
  environment: Platform,
  redactor: Redactor,
  options: SecretOptions,
): Promise<{ readonly secrets: SecretStore; readonly shared: SharedState | undefined }> {
  const own = openOwnSecrets(home, options);
  const resolve = (name: string): string | undefined => environment[name] ?? own.get(name);
  const place = reading ? undefined : sharedPlaceOf(home, resolve, stateFolder);
  if (!place) return { secrets: own, shared: undefined };
  const shared = await openSharedState(place, redactor);
  const { documents } = shared;
  return { secrets: withSharedSecrets(own, place, { ...options, documents }), shared };
}

/**
 * For a home whose configuration can't be used, as while it names a secret that isn't stored yet. Nothing of it is run.
 * Texts that are stored already keep a new secret's value.
 */
export async function openSecretsAlone(
  home: string,
  user: User,
): Promise<AsyncDisposable & Pick<Settings, 'secrets'>> {
  const environment = environmentOf(home, user);
  await requireKnown(home, user);
  const redactor = createRedactor();
  const options = redactedBy(redactor, environment);
  const { secrets, shared } = await openSecretsAndState(
    { home, reading: false, stateFolder: userStateFolder(user) },
    environment,
    redactor,
    options,
  );
  return { secrets, [Symbol.asyncDispose]: async () => await shared?.[Symbol.asyncDispose]() };
}

async function openConfiguration(
  { home, trustHome }: HostOptions,
  {
    surroundings,
    resolve,
    whyUnset,
    redactor,
    secrets,
    ofUser,
  }: Pick<Settings, 'surroundings' | 'resolve' | 'whyUnset' | 'redactor' | 'secrets'> & {
    readonly ofUser: ModelsOfUser | undefined;
  },
): Promise<Configuration> {
  let usesModelsOfUser = false;
  const load = async (): Promise<LoadedConfig> => {
    const loaded = await loadConfig(home, { ...surroundings, resolve, whyUnset });
    const lacksModels = Object.keys(loaded.config.models).length === 0;
    if (!ofUser || !lacksModels) return loaded;
    return { ...loaded, config: { ...loaded.config, models: ofUser.models } };
  };
  const use = (loaded: LoadedConfig): LoadedConfig => {
    usesModelsOfUser = loaded.config.models === ofUser?.models;
    learnConfiguredSecrets(redactor, loaded.config, resolve);
    return loaded;
  };
  const first = await load();
  // Secrets that can't be read may be what is missing.
  if (first.broken)
    throw brokenConfig({ ...first, diagnostics: [...secrets.diagnostics, ...first.diagnostics] });
  let current = use(first);
  return {
    get current() {
      return current;
    },
    get usesModelsOfUser() {
      return usesModelsOfUser;
    },
    async reload() {
      if (
        !trustHome &&
        homeTrust(home, surroundings) === 'unknown' &&
        changedSinceTrusted(home, surroundings).length > 0
      ) {
        current = { ...current, diagnostics: [changedHome(home, surroundings)] };
        return false;
      }
      const next = await load();
      const { diagnostics, broken, unreadable } = next;
      const isUsable = !broken && !unreadable;
      current = isUsable ? use(next) : { ...current, diagnostics, broken, unreadable };
      return isUsable;
    },
  };
}
