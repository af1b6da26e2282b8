import type { RegistryArgument, RegistryPackage } from './entry.ts';

/** How to run packages of one registry, in exactly the given version. */
export interface PackageRunner {
  readonly command: string;
  /** The registry it downloads from; others are refused, because users know this one. */
  readonly home: RegExp;
  readonly identifier: RegExp;
  /** Why a name belongs to another registry, or undefined. */
  strangePlace?(identifier: string): string | undefined;
  /** Matches a single version, not a range or a movable tag. */
  readonly pinned: RegExp;
  /**
   * The command line up to the server's own arguments. `runtime`: the publisher's additions, as far as they are
   * allowed.
   */
  words(pkg: RegistryPackage, runtime: readonly string[], variables: readonly string[]): readonly string[];
  /** Options of the runner itself that a publisher may set. All others are the user's choice. */
  isFree(option: RuntimeOption): boolean;
}

interface RuntimeOption {
  /** Empty for a positional argument. */
  readonly name: string;
  /** As written, with `{name}` for inputs. */
  readonly value: string | undefined;
  readonly argument: RegistryArgument;
}

/** Registries that images may come from: their names include the publisher. */
const imageHosts = [
  'docker.io',
  'index.docker.io',
  'ghcr.io',
  'quay.io',
  'mcr.microsoft.com',
  'public.ecr.aws',
];

/** Like Docker: the part before the first slash is a host if it can't be a user name. */
function strangeImageHost(image: string): string | undefined {
  const [first = '', ...path] = image.split('/');
  const isHost = path.length > 0 && (/[.:]/.test(first) || first === 'localhost');
  if (!isHost || imageHosts.includes(first)) return undefined;
  return `it comes from ${first}, and images are only accepted from ${imageHosts.join(', ')}`;
}

export const packageRunners: { readonly [registryType: string]: PackageRunner } = {
  npm: {
    command: 'npx',
    home: /^https:\/\/registry\.npmjs\.org\/?$/,
    identifier: /^(@[a-z0-9~][a-z0-9._~-]*\/)?[a-zA-Z0-9~][a-zA-Z0-9._~-]*$/,
    // For npm, "1" and "1.2" are ranges.
    pinned: /^\d+\.\d+\.\d+(?:[-+][0-9A-Za-z.+-]+)?$/,
    words: ({ identifier, version: pinned }) => ['-y', `${identifier}@${pinned}`],
    isFree: ({ name, value }) => value === undefined && (name === '-y' || name === '--yes'),
  },
  pypi: {
    command: 'uvx',
    home: /^https:\/\/pypi\.org\/?(simple\/?)?$/,
    identifier: /^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$/,
    pinned: /^(?:\d+!)?\d+(?:\.\d+)*(?:(?:a|b|rc)\d+)?(?:\.post\d+)?(?:\.dev\d+)?(?:\+[a-z0-9.]+)?$/i,
    words: ({ identifier, version: pinned }, runtime) => [...runtime, `${identifier}@${pinned}`],
    isFree: ({ name, value }) => name === '--python' && /^\d+(\.\d+){0,2}$/.test(value ?? ''),
  },
  oci: {
    command: 'docker',
    home: /^https:\/\/(docker\.io|index\.docker\.io|hub\.docker\.com|ghcr\.io|quay\.io|mcr\.microsoft\.com|public\.ecr\.aws)\/?$/,
    identifier: /^[a-z0-9][a-z0-9.-]*(:\d+)?(\/[a-z0-9][a-z0-9._-]*)*(:[\w.-]+)?(@sha256:[a-f0-9]{64})?$/,
    strangePlace: strangeImageHost,
    // A tag with fewer numbers moves to newer versions.
    pinned: /^(?:v?\d+\.\d+\.\d+[\w.-]*|sha256:[a-f0-9]{64})$/,
    words: (pkg, runtime, variables) => [
      'run',
      '-i',
      '--rm',
      ...variables.flatMap((name) => ['-e', name]),
      ...runtime.filter((word) => !['run', '-i', '--interactive', '--rm'].includes(word)),
      imageOf(pkg),
    ],
    isFree: isFreeForDocker,
  },
  nuget: {
    command: 'dnx',
    home: /^https:\/\/api\.nuget\.org(\/v3\/index\.json)?\/?$/,
    identifier: /^[A-Za-z0-9_]([A-Za-z0-9._-]*[A-Za-z0-9_])?$/,
    pinned: /^\d+(?:\.\d+){1,3}(?:[-+][0-9A-Za-z.+-]+)?$/,
    words: ({ identifier, version: pinned }) => [`${identifier}@${pinned}`, '--yes', '--'],
    isFree: ({ name, value }) => value === undefined && name === '--yes',
  },
};

/** Newer entries include the tag in the image name, older ones have it separately. */
export const imageOf = ({ identifier, version: tag }: RegistryPackage): string =>
  hasTag(identifier) || tag === undefined ? identifier : `${identifier}:${tag}`;

export const hasTag = (image: string): boolean => /(:[\w.-]+|@sha256:[a-f0-9]{64})$/.test(image);

/** A path within a container, which can't be read as another option. */
const plainPath = /^\/?[\w.-]+(\/[\w.-]+)*\/?$/;
const mounts: { readonly [option: string]: RegExp } = {
  '--mount': /^type=bind,(?:src|source)=\{([^{},]+)\},(?:dst|destination|target)=([^,=]+)(?:,readonly)?$/,
  '-v': /^\{([^{}:]+)\}:([^:]+)(?::ro)?$/,
  '--volume': /^\{([^{}:]+)\}:([^:]+)(?::ro)?$/,
};

/** Options that don't affect the machine, and mounts of a folder that only the user can choose. */
function isFreeForDocker({ name, value, argument }: RuntimeOption): boolean {
  if (name === '') return value === 'run';
  if (value === undefined) return ['-i', '--interactive', '--rm', '--init'].includes(name);
  if (name === '-e' || name === '--env') return /^[A-Za-z_][A-Za-z0-9_]*(=|$)/.test(value);
  const [, source, target] = mounts[name]?.exec(value) ?? [];
  if (source === undefined || target === undefined) return false;
  const { variables = {} } = argument;
  const from = Object.hasOwn(variables, source) ? variables[source] : undefined;
  if (!from || from.value !== undefined || from.default !== undefined) return false;
  const [, part] = /^\{([^{}]+)\}$/.exec(target) ?? [];
  if (part === undefined) return plainPath.test(target);
  const inside = Object.hasOwn(variables, part) ? variables[part] : undefined;
  const texts = [inside?.value, inside?.default, ...(inside?.choices ?? [])];
  return inside !== undefined && texts.every((text) => text === undefined || plainPath.test(text));
}
