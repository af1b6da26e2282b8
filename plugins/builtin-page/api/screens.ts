import { type JsonSchema, pegboard, PegboardError } from 'pegboard';
import { askElsewhere } from 'pegboard/channels';
import type { Host } from 'pegboard/embed';
import {
  type CommandUse,
  type Filling,
  fillUse,
  type PluginManifest,
  type Printed,
  readCommand,
  type ScreenDeclaration,
} from 'pegboard/home';
import { copyJson, memberAt, validatorOf } from 'pegboard/kit';
import { viewOf } from '../screens/view.ts';
import type { ScreenGraph, ScreenLink, ScreenPart, ScreenRows, ScreenView } from '../screens/wire.ts';
import { NotFound, requireProof, type ApiHandlers, type ApiRequest } from './handler.ts';

interface Found {
  readonly manifest: PluginManifest;
  readonly name: string;
  readonly screen: ScreenDeclaration;
}

/** Screens that plugins declare. Of their commands those run that a screen names, with what it says, and nothing else. */
export function screenHandlers(host: Host): ApiHandlers {
  const find = ({ path: [plugin = '', name = ''] }: ApiRequest): Found => {
    const manifest = declaring(host).find(({ id }) => id === plugin);
    if (!manifest || !Object.hasOwn(manifest.screens, name)) throw new NotFound();
    return { manifest, name, screen: manifest.screens[name]! };
  };
  const run = async (
    { manifest }: Found,
    use: CommandUse,
    filling: Filling,
    signal: AbortSignal,
  ): Promise<Printed> => {
    const printed = await readCommand(host.plugins, manifest.id, use.command, {
      ...fillUse(use, filling),
      ask: askElsewhere,
      signal,
    });
    return { ...printed, json: host.redactIn(printed.json) };
  };
  const read = async (
    found: Found,
    use: CommandUse,
    filling: Filling,
    signal: AbortSignal,
  ): Promise<unknown> => {
    const { json } = await run(found, use, filling, signal);
    if (json !== undefined) return json;
    throw broken(found, use, 'prints no JSON with --json');
  };
  const part = async (
    request: ApiRequest,
    found: Found,
    use: CommandUse | undefined,
  ): Promise<ScreenPart> => {
    if (!use) throw new NotFound();
    return { data: await read(found, use, { row: rowIn(request.query.get('row')) }, request.signal) };
  };
  return {
    'GET screens': (): { readonly screens: readonly ScreenLink[] } => ({
      screens: declaring(host).flatMap(({ id, screens }) =>
        Object.entries(screens).map(([screen, { title }]) => ({ plugin: id, screen, title })),
      ),
    }),
    'GET screen': (request): ScreenView => {
      const { manifest, name, screen } = find(request);
      return viewOf(manifest, name, screen);
    },
    'GET screen-rows': async (request): Promise<ScreenRows> => {
      const found = find(request);
      const { list, search, calendar } = found.screen;
      const query = queryIn(request);
      if (query !== undefined) {
        if (!search) throw new NotFound();
        const document = await read(found, search, { query }, request.signal);
        return { rows: listAt(document, search.member, found, search), entries: [] };
      }
      const document = await read(found, list, {}, request.signal);
      const note = list.note === undefined ? undefined : memberAt(document, list.note);
      return {
        rows: listAt(document, list.member, found, list),
        entries: calendar ? listAt(document, calendar.member, found, list) : [],
        ...(typeof note === 'string' && note !== '' && { note }),
      };
    },
    'GET screen-graph': async (request): Promise<ScreenGraph> => {
      const found = find(request);
      const { graph } = found.screen;
      if (!graph) throw new NotFound();
      const document = await read(found, graph, {}, request.signal);
      return {
        nodes: listAt(document, graph.nodes.member, found, graph),
        edges: listAt(document, graph.edges.member, found, graph),
      };
    },
    'GET screen-detail': (request) => {
      const found = find(request);
      return part(request, found, found.screen.detail);
    },
    'GET screen-preview': (request) => {
      const found = find(request);
      return part(request, found, actionIn(request, found).shows);
    },
    'POST screen-action': async (request) => {
      const found = find(request);
      const action = actionIn(request, found);
      if (action.proof === true) requireProof(request);
      const row = action.on === 'screen' ? undefined : rowIn(request.body['row']);
      const parameters = await parametersIn(request.body['parameters'], action.parameters);
      const { exitCode, lines } = await run(found, action, { ...parameters, row }, request.signal);
      if (exitCode !== 0)
        throw new PegboardError(
          'PEG_TOOL_FAILED',
          lines.join('\n') || `"${pegboard} ${action.command}" ended with the exit code ${exitCode}.`,
        );
    },
  };
}

/** As they run: what a changed plugin.yaml says, nobody may have approved yet. */
const declaring = ({ plugins }: Host): readonly PluginManifest[] =>
  plugins.instances.map(({ manifest }) => manifest).filter(({ screens }) => Object.keys(screens).length > 0);

function actionIn({ path }: ApiRequest, { screen: { actions = {} } }: Found) {
  const name = path[2] ?? '';
  if (!Object.hasOwn(actions, name)) throw new NotFound();
  return actions[name]!;
}

const maxKeyLength = 500;
const maxQueryLength = 1_000;

/** The key of a row. Throws PEG_USAGE for anything else. */
function rowIn(given: unknown): string {
  const key = typeof given === 'number' ? String(given) : given;
  if (typeof key === 'string' && key !== '' && key.length <= maxKeyLength && !/\p{Cc}/u.test(key)) return key;
  throw new PegboardError('PEG_USAGE', 'This names no row.');
}

function queryIn({ query }: ApiRequest): string | undefined {
  const words = query.get('q')?.trim() ?? '';
  return words === '' ? undefined : words.slice(0, maxQueryLength);
}

/** Checked, with defaults filled in. Throws PEG_INVALID_ARGUMENTS with what is wrong at which field. */
async function parametersIn(given: unknown, schema: JsonSchema | undefined): Promise<Filling> {
  if (!schema) return {};
  const values = copyJson(given ?? {});
  const known = validatorOf({ additionalProperties: false, ...schema });
  const problems = (known instanceof Promise ? await known : known)(values);
  if (problems.length > 0)
    throw new PegboardError('PEG_INVALID_ARGUMENTS', problems.map(({ message }) => message).join('; '), {
      data: { problems },
    });
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === 'boolean' ? value : String(value)]),
  );
}

function listAt(document: unknown, member: string, found: Found, use: CommandUse): readonly unknown[] {
  const list = memberAt(document, member);
  if (Array.isArray(list)) return list;
  throw broken(found, use, `prints no list "${member}" with --json`);
}

const broken = ({ manifest, name }: Found, { command }: CommandUse, what: string): PegboardError =>
  new PegboardError(
    'PEG_CONFIG',
    `"${pegboard} ${command}" ${what}, which the screen "${name}" of the plugin ${manifest.id} needs (${manifest.path}).`,
  );
