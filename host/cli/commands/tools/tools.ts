import type { Diagnostic } from '../../../api/diagnostic.ts';
import type { RegisteredTool } from '../../../api/tool.ts';
import { PegboardError } from '../../../core/errors.ts';
import { matchesTool } from '../../../core/text/glob.ts';
import { nearest } from '../../../core/documents/nearest.ts';
import type { Host } from '../../../host.ts';
import { visible } from '../../../tools/access.ts';
import type { Context, CommandHandler } from '../../command.ts';
import { scopeOf } from '../../scope.ts';
import { countDiagnostics, showDiagnostics } from '../../terminal/diagnostics.ts';
import { oneLine } from '../../terminal/safe.ts';
import { renderTable } from '../../terminal/table.ts';
import { diagnosticToJson, toolToJson } from '../../tools/tool-json.ts';
import { propertiesOf, requiredOf } from '../../values.ts';
import { listServers } from '../../servers/wait-for-servers.ts';

export const run: CommandHandler = async (context) => {
  const host = await context.openHost();
  await listServers(host, context);
  const tools = select(host, context);
  const diagnostics = diagnosticsOf(tools, host, context);
  if (context.options.flag('json')) {
    context.terminal.json({
      version: host.registry.snapshot.version,
      tools: tools.map(toolToJson),
      diagnostics: diagnostics.map((diagnostic) => diagnosticToJson(diagnostic, host.home)),
    });
  } else show(tools, diagnostics, host, context);
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
      out.line(`${style.title(tool.source.module)}  ${style.quiet(tool.source.kind)}`);
    }
    out.line(rows[at]);
  });
  const sources = new Set(tools.map((tool) => tool.source.id)).size;
  err.line(
    `${tools.length === 0 ? '' : '\n'}${tools.length} tool${tools.length === 1 ? '' : 's'} from ${sources} source${sources === 1 ? '' : 's'} in ${host.home}`,
  );
  if (diagnostics.length === 0) return;
  err.line(`${countDiagnostics(diagnostics)}:`);
  showDiagnostics(err, diagnostics, host.home);
}

/** "branch*, wait": required ones are starred. */
function signatureOf({ parameters }: RegisteredTool): string {
  const required = requiredOf(parameters);
  return Object.keys(propertiesOf(parameters))
    .map((name) => (required.includes(name) ? `${oneLine(name)}*` : oneLine(name)))
    .join(', ');
}
