import { pegboard } from '../../core/own-command.ts';
import { isServerAddress, serverNameProblem } from '../../servers/check-entry.ts';
import type { Context } from '../command.ts';
import { usageError } from '../parse.ts';

/** The entry of `mcpServers` for the arguments of `mcp add`. Throws PEG_USAGE. */
export function toServerEntry({ words, rest, options, command }: Context): {
  readonly [key: string]: unknown;
} {
  const [name = '', url] = words;
  checkServerName(name, command);
  const env = Object.fromEntries(options.values('env').map((text) => splitEnv(text)));
  const headers = Object.fromEntries(options.values('header').map((text) => splitHeader(text, command)));
  const [program, ...args] = rest;
  if (url !== undefined && program !== undefined)
    throw usageError(command, 'Give a URL or a command, not both.');
  if (url !== undefined) {
    if (!isServerAddress(url)) {
      const advice = /^[a-z][a-z0-9+.-]*:\/\//i.test(url)
        ? `A URL starts with https:// or http://: ${pegboard} mcp add ${name} URL`
        : `A command goes after --: ${pegboard} mcp add ${name} -- ${url}`;
      throw usageError(command, `"${url}" is not an http(s) URL. ${advice}`);
    }
    if (Object.keys(env).length > 0)
      throw usageError(command, '--env is for a command; a URL takes --header.');
    return { url, ...(Object.keys(headers).length > 0 && { headers }) };
  }
  if (program === undefined) throw usageError(command, `Give a URL, or a command after --.`);
  if (Object.keys(headers).length > 0)
    throw usageError(command, '--header is for a URL; a command takes --env.');
  const cwd = options.value('cwd');
  return {
    command: program,
    ...(args.length > 0 && { args }),
    ...(Object.keys(env).length > 0 && { env }),
    ...(cwd !== undefined && { cwd }),
  };
}

/** Throws PEG_USAGE. */
export function checkServerName(name: string, command: Context['command']): void {
  const problem = serverNameProblem(name);
  if (problem !== undefined) throw usageError(command, problem);
}

/** NAME alone passes on the host's own variable. */
export function splitEnv(text: string): [string, string] {
  const at = text.indexOf('=');
  return at < 0 ? [text, `\${${text}}`] : [text.slice(0, at), text.slice(at + 1)];
}

export function splitHeader(text: string, command: Context['command']): [string, string] {
  const at = text.indexOf(':');
  if (at < 1) throw usageError(command, `"${text}" is not a header: write 'Name: value'.`);
  return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}
