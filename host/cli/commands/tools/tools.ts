import type { Diagnostic } from '../../../api/diagnostic.ts';
import type { RegisteredTool } from '../../../api/tool.ts';
import { PegboardError } from '../../../core/errors.ts';
import { matchesTool } from '../../../core/text/glob.ts';
import { nearest } from '../../../core/documents/nearest.ts';
import { plural } from '../../../core/text/plural.ts';
import { withoutAliases } from '../../../tools/aliases.ts';
import { isMeta } from '../../../tools/meta.ts';
import type { PresetName } from '../../../tools/preset.ts';
import { defaultAgent } from '../../../status/default-agent.ts';
import type { Host } from '../../../host.ts';
import { agentScope } from '../../../spaces/agent-scope.ts';
import { visible } from '../../../tools/access.ts';
import { visibleTools } from '../../../tools/visible-tools.ts';
import { shownTools } from '../../../tools/injection/plan-injection.ts';
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
  const shown = shownTo(host, context);
  const listed = (tool: RegisteredTool): boolean => shown?.tools.has(tool) ?? true;
  const diagnostics = diagnosticsOf(tools, host, context);
  if (context.options.flag('json')) {
    context.terminal.json({
      version: host.registry.snapshot.version,
      tools: tools.map((tool) => ({ ...toolToJson(tool), listed: listed(tool) })),
      diagnostics: diagnostics.map((diagnostic) => diagnosticToJson(diagnostic, host.home)),
    });
  } else show(tools, shown, diagnostics, host, context);
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
    'PEG_TOOL_NOT_FOUND',
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
  shown: Shown | undefined,
  diagnostics: readonly Diagnostic[],
  host: Host,
  { terminal }: Context,
): void {
  const { out, err } = terminal;
  const { style } = out;
  const isShown = (tool: RegisteredTool): boolean => shown?.tools.has(tool) ?? true;
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
      const hidden = tools.filter((one) => one.source.id === source && !isShown(one));
      const { module, kind } = tool.source;
      out.line(`${style.title(module)}  ${style.quiet(`${kind}${notShown(hidden, tools)}`)}`);
    }
    out.line(rows[at]);
  });
  const sources = new Set(tools.map((tool) => tool.source.id)).size;
  err.line(
    `${tools.length === 0 ? '' : '\n'}${plural(tools.length, 'tool')} from ${plural(sources, 'source')} in ${host.home}`,
  );
  const count = tools.filter(isShown).length;
  if (shown && count < tools.length) {
    const one = count === 1 ? 'is' : 'are';
    err.line(
      `${count} of ${tools.length} ${one} shown to models and MCP clients at once (preset ${shown.preset}); ${restOf(tools, isShown)}`,
    );
  }
  if (diagnostics.length === 0) return;
  err.line(`${countDiagnostics(diagnostics)}:`);
  showDiagnostics(err, diagnostics, host.home);
}

/** What is to know of the tools that aren't shown. */
function restOf(tools: readonly RegisteredTool[], isShown: (tool: RegisteredTool) => boolean): string {
  const hidden = withoutAliases(tools).find((tool) => !isMeta(tool) && !isShown(tool));
  if (!hidden) return 'the others find tools, or are second names of tools.';
  return `they find the others by search. To show more, write into pegboard.yaml: showTools: [${hidden.source.module}], or preset: full`;
}

/** What an agent's model sees without searching. */
interface Shown {
  readonly preset: PresetName;
  readonly tools: ReadonlySet<RegisteredTool>;
}

/** For the agent, by default the one that answers. Undefined where that can't be told. */
function shownTo(host: Host, { options }: Context): Shown | undefined {
  const name = options.value('agent');
  const agent = name === undefined ? defaultAgent(host) : host.spaces.agentFor(name);
  if (!agent) return undefined;
  const { toolPreset } = host.config;
  const preset = agent.runtime.preset ?? toolPreset.name;
  const usable = visibleTools(host.registry.snapshot, agentScope(agent));
  return { preset, tools: shownTools(agent, usable, toolPreset) };
}

/** ", not shown at once" behind a source of which nothing is shown; else the names that aren't. */
function notShown(hidden: readonly RegisteredTool[], tools: readonly RegisteredTool[]): string {
  if (hidden.length === 0) return '';
  const all = tools.filter(({ source }) => source.id === hidden[0]!.source.id).length;
  const names = hidden.length === all ? '' : `: ${hidden.map(({ name }) => oneLine(name)).join(', ')}`;
  return `, not shown at once${names}`;
}

/** "branch*, wait": required ones are starred. */
function signatureOf({ parameters }: RegisteredTool): string {
  const required = requiredOf(parameters);
  return Object.keys(propertiesOf(parameters))
    .map((name) => (required.includes(name) ? `${oneLine(name)}*` : oneLine(name)))
    .join(', ');
}
