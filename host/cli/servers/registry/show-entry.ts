import { pegboard } from '../../../core/own-command.ts';
import type { McpServerConfig } from '../../../sources/mcp/config.ts';
import type { RegistryServer } from '../../../sources/mcp/registry/entry.ts';
import type { InstallOption } from '../../../sources/mcp/registry/install-options.ts';
import { oneLine } from '../../terminal/safe.ts';
import type { NeededVariable } from '../../../servers/registry/needed-variables.ts';
import { commandOf } from '../../../servers/shown-config.ts';
import type { Surface } from '../../terminal/terminal.ts';

export interface ShownEntry {
  readonly server: RegistryServer;
  readonly config: McpServerConfig;
  readonly variables: readonly NeededVariable[];
  readonly others: readonly InstallOption[];
}

/** Shows everything that decides what runs, before it is written. */
export function showEntry({ server, config, variables, others }: ShownEntry, err: Surface): void {
  const { style } = err;
  const line = (label: string, text: string): void => err.line(`  ${style.quiet(label.padEnd(10))} ${text}`);
  const title = server.title === undefined ? '' : ` (${oneLine(server.title)})`;
  err.line(`${style.title(server.name)} ${server.version}${title}`);
  if (server.description !== '') line('says', oneLine(server.description));
  if (server.repository !== undefined) line('source', oneLine(server.repository));
  if (server.status === 'deprecated')
    line('careful', style.warning(oneLine(`it is deprecated. ${server.statusMessage ?? ''}`)));
  line(config.command === undefined ? 'connects' : 'runs', oneLine(commandOf(config)));
  for (const [name, value] of Object.entries({ ...config.env, ...config.headers }))
    line(config.command === undefined ? 'header' : 'variable', oneLine(`${name}=${value}`));
  for (const { name, isSet, description = '' } of variables)
    line(
      'gets',
      `your ${name}, which is ${isSet ? 'set' : style.warning('not set')}${description === '' ? '' : `: ${oneLine(description)}`}`,
    );
  for (const { kind, what } of others) line('or', `--from ${kind}: ${oneLine(what)}`);
}

/** The steps that remain before it can start. */
export function stepsFor(variables: readonly NeededVariable[], name: string): readonly string[] {
  const unset = variables.filter(({ isSet }) => !isSet);
  if (unset.length === 0) return [];
  return [
    ...unset.map((one) => `  ${pegboard} secret set ${one.name}${one.isSecret ? '' : '   (or in .env)'}`),
    `  ${pegboard} mcp list   (connects ${name})`,
  ];
}
