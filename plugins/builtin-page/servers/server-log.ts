import { parseJson, toJson } from 'pegboard';
import type { Host } from 'pegboard/embed';
import { lastLines, logFileOf } from 'pegboard/kit';
import type { ServerLog, ServerLogLine } from './wire.ts';

/** The last lines about a server, oldest first: what the host has noted, and what the server wrote to stderr. */
export function serverLog(
  name: string,
  count: number,
  { home, redact }: Pick<Host, 'home' | 'redact'>,
): ServerLog {
  const logger = `host:mcp:${name}`;
  const isAbout = (line: string): boolean => {
    if (!line.includes(`mcp:${name}`)) return false;
    const entry = read(line);
    const from = entry?.['name'];
    if (from === logger || (typeof from === 'string' && from.startsWith(`${logger}:`))) return true;
    return String(entry?.['message']).startsWith(`mcp:${name} `);
  };
  const found = lastLines(logFileOf(home), count + 1, isAbout);
  return { lines: found.slice(-count).map((line) => toLine(redact(line))), isCut: found.length > count };
}

type Entry = { readonly [field: string]: unknown };

/** Undefined for a line that a crash has cut off. */
function read(line: string): Entry | undefined {
  try {
    const value = parseJson(line);
    return typeof value === 'object' && value !== null ? (value as Entry) : undefined;
  } catch {
    return undefined;
  }
}

function toLine(line: string): ServerLogLine {
  const { time, level, name: _, message, ...fields } = read(line) ?? { message: line };
  return {
    ...(typeof time === 'string' && { time }),
    level: typeof level === 'string' ? level : 'info',
    text: String(message),
    ...(Object.keys(fields).length > 0 && { detail: toJson(fields, 2) }),
  };
}
