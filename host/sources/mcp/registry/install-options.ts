import { referencesIn } from '../../../core/documents/interpolate.ts';
import { PegboardError } from '../../../core/errors.ts';
import { isSteeringVariable } from '../../../core/processes/environment.ts';
import { stripHidden } from '../../../core/foreign/hidden-characters.ts';
import type { McpServerConfig } from '../config.ts';
import type {
  Malformed,
  NamedInput,
  RegistryArgument,
  RegistryInput,
  RegistryPackage,
  RegistryRemote,
  RegistryServer,
} from './entry.ts';
import { fillSlot, toSlot, type Answers, type Slot, type RequestedInput } from './inputs.ts';
import { refusedAddress } from './public-address.ts';
import { hasTag, imageOf, packageRunners, type PackageRunner } from './runners.ts';

/** A way to reach a server of a registry: a package that is run here, or an address. */
export interface InstallOption {
  /** "npm", "pypi", "oci", "nuget", "remote" */
  readonly kind: string;
  /** The package with its version, or the address. */
  readonly what: string;
  readonly wanted: readonly RequestedInput[];
  toConfig(answers: Answers): McpServerConfig;
}

/** A way that is not offered, and why. */
export interface NotInstallable {
  readonly kind: string;
  readonly what: string;
  readonly refused: string;
}

/** In the publisher's order, packages first. `as`: the server's name here. Nothing is run. */
export function installOptionsOf(
  server: RegistryServer,
  as: string,
): readonly (InstallOption | NotInstallable)[] {
  if (server.malformed !== undefined) return [{ kind: 'server', what: '', refused: server.malformed }];
  // With a prefix, so that a publisher can't choose the name of one of the owner's keys.
  const variable = (key: string): string =>
    `MCP_${as}_${key}`
      .toUpperCase()
      .replaceAll(/[^A-Z0-9]+/g, '_')
      .replace(/_$/, '');
  const ways = [
    ...server.packages.map((pkg) => ofPackage(pkg, variable)),
    ...server.remotes.map((remote) => ofRemote(remote, variable)),
  ];
  return ways.map((way) => ('refused' in way ? way : withoutStrangeReferences(way)));
}

/** How it can be run or reached, of the ways that Pegboard supports. */
export const kindsOf = (server: RegistryServer): readonly string[] => [
  ...new Set(installOptionsOf(server, '').flatMap((way) => ('refused' in way ? [] : [way.kind]))),
];

/** Checks the whole, since two harmless texts may form a reference together. Throws PEG_DENIED. */
function withoutStrangeReferences(way: InstallOption): InstallOption {
  return {
    ...way,
    toConfig(answers) {
      const config = way.toConfig(answers);
      const known = new Set([
        ...way.wanted.map(({ variable }) => variable),
        ...[...answers.values()].flat().flatMap(referencesIn),
      ]);
      const { command = '', args = [], env = {}, url = '', headers = {} } = config;
      const texts = [command, ...args, url, ...Object.values(env), ...Object.values(headers)];
      const strange = texts.flatMap(referencesIn).find((name) => !known.has(name));
      if (strange === undefined) return config;
      throw new PegboardError(
        'PEG_DENIED',
        `${way.what} refers to the variable ${strange}. Nothing was written.`,
      );
    },
  };
}

function ofPackage(
  pkg: RegistryPackage | Malformed,
  variable: (key: string) => string,
): InstallOption | NotInstallable {
  if ('malformed' in pkg) return { kind: 'package', what: '', refused: `it is malformed: ${pkg.malformed}` };
  const kind = pkg.registryType;
  const runner = Object.hasOwn(packageRunners, kind) ? packageRunners[kind] : undefined;
  const { identifier, version } = pkg;
  const what = kind === 'oci' ? imageOf(pkg) : [identifier, version].filter(Boolean).join('@');
  const refused = runner
    ? refusedPackage(pkg, runner)
    : 'Pegboard runs packages of npm, PyPI and NuGet, and container images';
  if (refused !== undefined || !runner) return { kind, what, refused: refused ?? '' };

  const environment = (pkg.environmentVariables ?? []).map((input) => ({
    name: input.name,
    slot: toSlot(leftToOwner(input), input.name, 'variable', (key) =>
      key === input.name ? key : variable(key),
    ),
  }));
  const runtime = (pkg.runtimeArguments ?? []).map((one) => toWords(one, variable));
  const own = (pkg.packageArguments ?? []).map((one) => toWords(one, variable));
  const slots = [...environment, ...runtime, ...own].map(({ slot }) => slot);
  return {
    kind,
    what,
    wanted: wantedIn(slots),
    toConfig(answers) {
      const env = Object.fromEntries(
        environment.flatMap(({ name, slot }) => fillSlot(slot, answers).map((value) => [name, value])),
      );
      const words = (list: typeof own): string[] => list.flatMap((one) => one.fill(answers));
      return {
        command: runner.command,
        args: [...runner.words(pkg, words(runtime), Object.keys(env)), ...words(own)],
        ...(Object.keys(env).length > 0 && { env }),
      };
    },
  };
}

/** Variables that a publisher may set, because they can't decide what runs, or where it comes from. */
const isFreeVariable = (name: string): boolean =>
  /^(?:MCP_[A-Z0-9_]+|LOG_LEVEL|PORT|TRANSPORT|TZ)$/.test(name);

/**
 * The runner reads the same environment as the server (`NPM_CONFIG_REGISTRY`, `UV_INDEX_URL`, `DOCKER_HOST`, and
 * whatever its next version reads), so a publisher's values are only proposals, which the owner accepts or leaves out.
 */
function leftToOwner(wanted: NamedInput): NamedInput {
  const { value, default: preset, variables: _, ...input } = wanted;
  const proposed = value ?? preset;
  if (proposed === undefined || isFreeVariable(input.name)) return wanted;
  const { description = '' } = input;
  return {
    ...input,
    description: `${description} Its publisher proposes ${JSON.stringify(proposed)}.`.trim(),
    ...(value !== undefined && { isRequired: true }),
  };
}

function refusedPackage(pkg: RegistryPackage, runner: PackageRunner): string | undefined {
  const { identifier, version, registryType, registryBaseUrl, transport, fileSha256 } = pkg;
  if (!runner.identifier.test(identifier)) return `"${identifier}" is not a valid package name`;
  const strange = runner.strangePlace?.(identifier);
  if (strange !== undefined) return strange;
  const isImage = registryType === 'oci';
  const pinned = isImage && hasTag(identifier) ? /(?:sha256:)?[\w.-]+$/.exec(identifier)?.[0] : version;
  if (pinned === undefined || !runner.pinned.test(pinned)) return "it doesn't name a single version";
  if (registryBaseUrl !== undefined && !runner.home.test(registryBaseUrl))
    return `it comes from ${registryBaseUrl}, which is not the usual registry`;
  if (transport !== undefined && transport.type !== 'stdio')
    return `its transport is ${transport.type}, and only packages with stdio are supported`;
  if (fileSha256 !== undefined) return `its file has a checksum, which ${runner.command} doesn't check`;
  const steering = (pkg.environmentVariables ?? []).find(
    ({ name }) => !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) || isSteeringVariable(name),
  );
  if (steering) return `it sets the variable ${steering.name}, which decides what code runs`;
  const inputs = [
    ...(pkg.environmentVariables ?? []),
    ...(pkg.runtimeArguments ?? []),
    ...(pkg.packageArguments ?? []),
  ];
  const unfit = textsOf(inputs).find((text) => !isPlain(text));
  if (unfit !== undefined) return `it has a text that refers to a variable or is invisible: ${unfit}`;
  const option = (pkg.runtimeArguments ?? []).find((argument) => {
    const value = argument.value ?? argument.default;
    return !runner.isFree({ name: argument.type === 'named' ? (argument.name ?? '') : '', value, argument });
  });
  if (option) {
    const words = [option.name, option.value ?? option.default].filter((word) => word !== undefined);
    return `it requires ${runner.command} to be run with ${words.join(' ')}, which a publisher may not set`;
  }
  return undefined;
}

function ofRemote(
  remote: RegistryRemote | Malformed,
  variable: (key: string) => string,
): InstallOption | NotInstallable {
  if ('malformed' in remote)
    return { kind: 'remote', what: '', refused: `it is malformed: ${remote.malformed}` };
  const { type, url, headers = [], variables = {} } = remote;
  const refused = refusedRemote(remote);
  if (refused !== undefined) return { kind: 'remote', what: url, refused };
  const address = toSlot({ value: url, variables, isRequired: true }, 'url', 'argument', variable);
  const slots = headers.map((input) => ({
    name: input.name,
    slot: toSlot(input, input.name, 'header', variable),
  }));
  return {
    kind: 'remote',
    what: url,
    wanted: wantedIn([address, ...slots.map(({ slot }) => slot)]),
    toConfig(answers) {
      const filled = Object.fromEntries(
        slots.flatMap(({ name, slot }) => fillSlot(slot, answers).map((value) => [name, value])),
      );
      return {
        ...(type === 'sse' && { type }),
        url: fillSlot(address, answers)[0]!,
        ...(Object.keys(filled).length > 0 && { headers: filled }),
      };
    },
  };
}

function refusedRemote({ type, url, headers = [], variables = {} }: RegistryRemote): string | undefined {
  if (type !== 'streamable-http' && type !== 'sse') return `its transport is ${type}, which is unknown`;
  const unfit = textsOf([{ value: url, variables }, ...headers]).find((text) => !isPlain(text));
  if (unfit !== undefined) return `it has a text that refers to a variable or is invisible: ${unfit}`;
  const notPublic = refusedAddress(asPublished(url, variables));
  if (notPublic !== undefined) return notPublic;
  const header = headers.find(({ name }) => !/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name));
  return header && `"${header.name}" is not a valid header name`;
}

/** The text with the publisher's values, and a placeholder word for what only the user can provide. */
const asPublished = (url: string, variables: NonNullable<RegistryRemote['variables']>): string =>
  url.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => {
    const one = Object.hasOwn(variables, name) ? variables[name] : undefined;
    return one?.value ?? one?.default ?? 'x';
  });

interface Words {
  readonly slot: Slot;
  fill(answers: Answers): readonly string[];
}

/** A named argument is its option followed by the value; without a value it is only the option. */
function toWords(argument: RegistryArgument, variable: (key: string) => string): Words {
  const { type, name = '', valueHint, value, default: preset, description, choices, format } = argument;
  const isSwitch =
    type === 'named' &&
    [value, preset, description, choices, format, valueHint].every((one) => one === undefined);
  const key = type === 'named' ? name.replace(/^-+/, '') : (valueHint ?? 'argument');
  const slot = isSwitch ? { input: { value: '' }, wanted: [] } : toSlot(argument, key, 'argument', variable);
  return {
    slot,
    fill(answers) {
      if (isSwitch) return [name];
      const values = fillSlot(slot, answers).slice(0, argument.isRepeated === true ? undefined : 1);
      return type === 'named' ? values.flatMap((one) => [name, one]) : values;
    },
  };
}

/** Each name is requested once. */
function wantedIn(slots: readonly Slot[]): readonly RequestedInput[] {
  const all = slots.flatMap(({ wanted }) => wanted).filter(({ value }) => value === undefined);
  return [...new Map(all.map((one) => [one.key, one])).values()];
}

/** Texts that would be written into the configuration without a question. */
const textsOf = (inputs: readonly (RegistryInput & { readonly name?: string })[]): readonly string[] =>
  inputs.flatMap(({ name, value, default: preset, choices = [], variables = {} }) => [
    ...[name, value, preset].filter((text) => text !== undefined),
    ...choices,
    ...textsOf(Object.entries(variables).map(([key, one]) => ({ ...one, name: key }))),
  ]);

/** Allows neither references to the owner's variables nor invisible characters. */
const isPlain = (text: string): boolean =>
  !text.includes('${') && !/[\r\n\t]/.test(text) && stripHidden(text) === text;
