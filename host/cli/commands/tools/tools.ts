import type { Diagnostic } from '../../../api/diagnostic.ts';
import type { RegisteredTool } from '../../../api/tool.ts';
import { PegboardError } from '../../../core/errors.ts';
import { matchesTool } from '../../../core/text/glob.ts';
import { nearest } from '../../../core/documents/nearest.ts';
import type { Host } from '../../../host.ts';
import { visible } from '../../../tools/access.ts';
import { listedFor } from '../../../tools/injection/plan-injection.ts';
import type { Context, CommandHandler } from '../../command.ts';
import { scopeOf } from '../../scope.ts';
import { countDiagnostics, showDiagnostics } from '../../terminal/diagnostics.ts';
import { oneLine } from '../../terminal/safe.ts';
import { renderTable } from '../../terminal/table.ts';
import { diagnosticToJson } from '../../../status/diagnostic-json.ts';
import { toolToJson } from '../../tools/tool-json.ts';
import { propertiesOf, requiredOf } from '../../values.ts';
import { listServers } from '../../servers/wait-for-servers.ts';

export const run: CommandHandler = async (context) => {
  const host = await context.openHost();
  await listServers(host, context);
  const tools = select(host, context);
  const listed = listedIn(host, context);
  const diagnostics = diagnosticsOf(tools, host, context);
  if (context.options.flag('json')) {
    context.terminal.json({
      version: host.registry.snapshot.version,
      tools: tools.map((tool) => ({ ...toolToJson(tool), listed: listed(tool) })),
      diagnostics: diagnostics.map((diagnostic) => diagnosticToJson(diagnostic, host.home)),
    });
  } else show(tools, listed, diagnostics, host, context);
};

function select(host: Host, context: Context): readonly RegisteredTool[] {
  const tools = visible(host.registry.snapshot, scopeOf(host, context));
  const [filter] = context.words;
  if (filter === undefined) return tools;
  const selected = tools.filter((tool) => matchesTool([filter], tool));
  const modules = host.registry.snapshot.sources.map(({ module }) => module);
  if (selected.length > 0 || modules.includes(filter)) return selected;
  const [near] = nearest(filter, modules);
  throw new PegboardError(
    'PEG_USAGE',
    `There is no tool or module "${filter}".${near === undefined ? '' : ` Did you mean "${near}"?`}`,
  );
}

/** With a filter, only the diagnostics of the selected sources. */
function diagnosticsOf(
  tools: readonly RegisteredTool[],
  host: Host,
  { words: [filter] }: Context,
): readonly Diagnostic[] {
  if (filter === undefined) return host.diagnostics;
  const { snapshot } = host.registry;
  const chosen = new Set(tools.map(({ source }) => source.module)).add(filter);
  return snapshot.sources
    .filter(({ module }) => chosen.has(module))
    .flatMap((source) => snapshot.diagnosticsOf(source));
}

/** In columns: with fewer, parameters and descriptions would be cut to two words each. `show` has the parameters. */
const minParametersWidth = 100;

function show(
  tools: readonly RegisteredTool[],
  listed: (tool: RegisteredTool) => boolean,
  diagnostics: readonly Diagnostic[],
  host: Host,
  { terminal }: Context,
): void {
  const { out, err } = terminal;
  const { style } = out;
  const hasRoom = out.width >= minParametersWidth;
  const [head, ...rows] = renderTable(
    out,
    [
      { title: 'TOOL', paint: style.name },
      ...(hasRoom ? [{ title: 'PARAMETERS', shrinks: true }] : []),
      { title: 'DESCRIPTION', shrinks: true, paint: style.quiet },
      { title: 'NAME FOR MODELS', optional: true, paint: style.quiet },
    ],
    tools.map((tool) => [
      tool.id,
      ...(hasRoom ? [signatureOf(tool)] : []),
      oneLine(tool.description),
      tool.wireName,
    ]),
    { indent: 2 },
  );
  if (head !== undefined && rows.length > 0) out.line(head);
  let source: string | undefined;
  tools.forEach((tool, at) => {
    if (tool.source.id !== source) {
      source = tool.source.id;
      const hidden = tools.filter((one) => one.source.id === source && !listed(one));
      const { module, kind } = tool.source;
      out.line(`${style.title(module)}  ${style.quiet(`${kind}${foundBySearch(hidden, tools)}`)}`);
    }
    out.line(rows[at]);
  });
  const sources = new Set(tools.map((tool) => tool.source.id)).size;
  err.line(
    `${tools.length === 0 ? '' : '\n'}${tools.length} tool${tools.length === 1 ? '' : 's'} from ${sources} source${sources === 1 ? '' : 's'} in ${host.home}`,
  );
  const unlisted = tools.filter((tool) => !listed(tool));
  if (unlisted.length > 0) {
    const [{ source: first }] = unlisted as [RegisteredTool];
    err.line(
      `Models and MCP clients find ${unlisted.length} of them by search; the others are listed. To list more, write into pegboard.yaml: showTools: [${first.module}], or preset: full`,
    );
  }
  if (diagnostics.length === 0) return;
  err.line(`${countDiagnostics(diagnostics)}:`);
  showDiagnostics(err, diagnostics, host.home);
}

/** Whether the agent, by default the one that answers, sees the tool without searching. */
function listedIn(host: Host, { options }: Context): (tool: RegisteredTool) => boolean {
  const name = options.value('agent');
  return listedFor(name === undefined ? undefined : host.spaces.agentFor(name), host.config.toolPreset);
}

/** ", found by search" behind a source of which nothing is listed; else the names that aren't. */
function foundBySearch(hidden: readonly RegisteredTool[], tools: readonly RegisteredTool[]): string {
  if (hidden.length === 0) return '';
  const all = tools.filter(({ source }) => source.id === hidden[0]!.source.id).length;
  const names = hidden.length === all ? '' : `: ${hidden.map(({ name }) => oneLine(name)).join(', ')}`;
  return `, found by search${names}`;
}

/** "branch*, wait": required ones are starred. */
function signatureOf({ parameters }: RegisteredTool): string {
  const required = requiredOf(parameters);
  return Object.keys(propertiesOf(parameters))
    .map((name) => (required.includes(name) ? `${oneLine(name)}*` : oneLine(name)))
    .join(', ');
}
