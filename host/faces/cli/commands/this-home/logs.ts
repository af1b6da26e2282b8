import { existsSync, openSync, readSync, closeSync, statSync } from 'node:fs';
import { logFileOf } from '../../../../core/log.ts';
import { auditFileOf } from '../../../../store/audit.ts';
import { renderAuditLine } from '../../audit-line.ts';
import type { Run } from '../../command.ts';
import { usageError } from '../../parse.ts';
import { untilStopped } from '../../until-stopped.ts';

/** The last part of the file is enough for the last lines. */
const mostBytes = 4 * 1024 * 1024;
const pollMs = 250;

export const run: Run = async (context) => {
  const { options, terminal, home, signal, command } = context;
  const lines = Number(options.value('lines') ?? 50);
  if (!Number.isInteger(lines) || lines < 1)
    throw usageError(command, '--lines takes a whole number above 0.');
  const wanted = options.value('grep');
  const path = options.flag('audit') ? auditFileOf(home) : logFileOf(home);
  if (!existsSync(path)) return terminal.err.line(`There is no log yet: ${path}`);
  const { out } = terminal;
  const isWanted = (line: string): boolean =>
    wanted === undefined || line.toLowerCase().includes(wanted.toLowerCase());
  const show = (line: string): void =>
    out.line(options.flag('audit') && out.isTerminal ? renderAuditLine(line, out) : line);
  let position = statSync(path).size;
  const last = readFrom(path, Math.max(0, position - mostBytes), position)
    .split('\n')
    .filter(Boolean);
  last.filter(isWanted).slice(-lines).forEach(show);
  if (!options.flag('follow')) return;
  const poll = setInterval(() => {
    const { size } = statSync(path, { throwIfNoEntry: false }) ?? { size: 0 };
    // A smaller file is a new one.
    if (size < position) position = 0;
    if (size === position) return;
    const text = readFrom(path, position, size);
    const end = text.lastIndexOf('\n') + 1;
    position += Buffer.byteLength(text.slice(0, end));
    text.slice(0, end).split('\n').filter(Boolean).filter(isWanted).forEach(show);
  }, pollMs);
  await untilStopped(signal);
  clearInterval(poll);
};

function readFrom(path: string, from: number, to: number): string {
  const file = openSync(path, 'r');
  try {
    const buffer = Buffer.alloc(to - from);
    const read = readSync(file, buffer, 0, buffer.length, from);
    return buffer.toString('utf8', 0, read);
  } finally {
    closeSync(file);
  }
}
