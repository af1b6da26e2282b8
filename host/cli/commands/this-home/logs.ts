import { visibleJson } from '../../../core/foreign/shown-text.ts';
import { followLines } from '../../../core/text/follow-lines.ts';
import { endOf, lastLines } from '../../../core/text/last-lines.ts';
import { logFileOf } from '../../../core/log.ts';
import { rotatedFiles } from '../../../core/files/rotating-file.ts';
import { auditFileOf } from '../../../store/audit.ts';
import { renderAuditLine } from '../../tools/audit-line.ts';
import type { CommandHandler } from '../../command.ts';
import { usageError } from '../../parse.ts';
import { untilStopped } from '../../until-stopped.ts';
import { parseJson } from '../../../core/documents/written-numbers.ts';

export const run: CommandHandler = async ({ options, terminal, home, signal, command }) => {
  const count = Number(options.value('lines') ?? 50);
  if (!Number.isInteger(count) || count < 1)
    throw usageError(command, '--lines takes a whole number above 0.');
  const [json, follow] = [options.flag('json'), options.flag('follow')];
  if (json && follow) throw usageError(command, 'Use either --json or --follow: a JSON document has an end.');
  const wanted = options.value('grep')?.toLowerCase();
  const isWanted = (line: string): boolean => wanted === undefined || line.toLowerCase().includes(wanted);
  const isAudit = options.flag('audit');
  const path = isAudit ? auditFileOf(home) : logFileOf(home);
  if (rotatedFiles(path).length === 0 && !json) return terminal.err.line(`There is no log yet: ${path}`);
  const end = endOf(path);
  const last = lastLines(path, count, isWanted, end);
  if (json) return terminal.json({ lines: last.map(toJson) });
  const { out } = terminal;
  const show = (line: string): void =>
    isAudit && out.isTerminal ? out.line(renderAuditLine(line, out)) : out.write(`${visibleJson(line)}\n`);
  last.forEach(show);
  if (!follow) return;
  using _following = followLines(path, end, (line) => isWanted(line) && show(line));
  await untilStopped(AbortSignal.any([signal, readerGone(out.stream)]));
};

/** Aborts when stdout is closed. */
function readerGone(stream: NodeJS.WriteStream): AbortSignal {
  const gone = new AbortController();
  stream.once('error', () => gone.abort());
  return gone.signal;
}

/** A line that a crash cut off is returned as text. */
function toJson(line: string): unknown {
  try {
    return parseJson(line);
  } catch {
    return line;
  }
}
