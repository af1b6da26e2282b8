import { PegboardError, type RegisteredTool, type Scope } from 'pegboard';
import { askElsewhere } from 'pegboard/channels';
import type { Host } from 'pegboard/embed';
import { callable, checkArguments, isGuarded, notFound } from 'pegboard/home';
import { isMeta } from 'pegboard/kit';
import type { CallResult, Preview, ToolDetails, ToolRow } from '../wire.ts';
import { firstLineOf } from './first-line.ts';
import type { Session } from '../session/sessions.ts';
import { NotFound, requireProof, textIn, type ApiHandlers } from './handler.ts';

/** What a search returns at most. */
const maxFound = 200;
/** As `CallRequest.caller`. */
const caller = 'web';

/** The tools, and calls of them in the name of the owner. */
export function toolHandlers(host: Host): ApiHandlers {
  const find = (id: string): RegisteredTool => {
    const tool = host.registry.snapshot.find(id);
    if (!tool) throw notFound(host.registry.snapshot, id, host.scopeFor(undefined));
    return tool;
  };
  return {
    'GET tools': () => {
      const { snapshot } = host.registry;
      const tools = callable(snapshot);
      return { registry: snapshot.version, tools: tools.map(toRow) };
    },
    'GET tool': ({ path: [id = ''] }) => toDetails(find(id)),
    'GET search': async ({ query }) => {
      const found = await host.search(query.get('q') ?? '', maxFound);
      return { ids: found.map(({ tool }) => tool.id) };
    },
    'POST preview': async ({ body, session }): Promise<Preview> => {
      const tool = find(textIn(body, 'tool'));
      try {
        // With defaults, as the call would get them.
        const args = await checkArguments(tool, body['args'], host.log);
        const prepared = await tool.prepare?.(args, { caller, scope: scopeOf(session, host) });
        return {
          ...(prepared?.preview !== undefined && { preview: host.redact(prepared.preview) }),
          ...(prepared?.cwd !== undefined && { cwd: prepared.cwd }),
        };
      } catch (thrown) {
        // While somebody types, this is no failure.
        if (thrown instanceof PegboardError) return { problem: host.redact(thrown.message) };
        throw thrown;
      }
    },
    'POST call': async (request): Promise<CallResult> => {
      const { body, session, signal } = request;
      const scope = scopeOf(session, host);
      const tool = find(textIn(body, 'tool'));
      // They run other tools, whose calls nobody has looked at here.
      if (isMeta(tool)) throw new NotFound();
      const started = performance.now();
      if (!session.isProven && (await isSensitive(tool, body['args'], scope, host))) requireProof(request);
      const { content, structured, error } = await host.dispatch({
        name: tool.id,
        args: body['args'] ?? {},
        scope,
        caller,
        // Whoever has the page open sees the question there, and on every other channel.
        ask: askElsewhere,
        signal,
        takesLongTexts: true,
      });
      return {
        ok: error === undefined,
        content,
        ...(structured !== undefined && { structured }),
        ...(error && { error }),
        ms: performance.now() - started,
      };
    },
  };
}

/** Without a code, whoever has the page open is one of the clients; with one, the owner. */
const scopeOf = ({ isProven }: Session, host: Host): Scope =>
  isProven ? host.scopeFor(undefined) : { identity: 'agent', access: {} };

/** Whether the call would change what runs, now or later, or what Pegboard keeps: other screens ask for a code too. */
async function isSensitive(
  tool: RegisteredTool,
  given: unknown,
  scope: Scope,
  { log }: Host,
): Promise<boolean> {
  try {
    const args = await checkArguments(tool, given ?? {}, log);
    if (isGuarded(tool, args)) return true;
    const { sensitive, confirm } = (await tool.prepare?.(args, { caller, scope })) ?? {};
    return sensitive !== undefined || confirm !== undefined;
  } catch {
    // The call says what is wrong.
    return false;
  }
}

const toRow = ({ id, source, description, confirm = false, annotations }: RegisteredTool): ToolRow => ({
  id,
  kind: source.kind,
  summary: firstLineOf(description),
  confirm,
  readOnly: annotations?.readOnlyHint === true,
});

const defaultSeconds = 60;

function toDetails(tool: RegisteredTool): ToolDetails {
  const { title, description, parameters, outputSchema, examples = [], origin, documentation } = tool;
  return {
    ...toRow(tool),
    ...(title !== undefined && { title }),
    description,
    parameters,
    ...(outputSchema && { outputSchema }),
    examples: examples.map(({ input }) => ({ input })),
    timeout: tool.timeout ?? defaultSeconds,
    ...(origin !== undefined && { origin }),
    ...(documentation !== undefined && { documentation }),
  };
}
