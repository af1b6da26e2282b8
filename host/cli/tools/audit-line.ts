import type { AuditLine } from '../../store/audit.ts';
import { shortCost, shortNumber, shortTime } from '../terminal/figures.ts';
import { oneLine } from '../terminal/safe.ts';
import type { Surface } from '../terminal/terminal.ts';
import { clip } from '../terminal/width.ts';
import { parseJson } from '../../core/documents/written-numbers.ts';

/**
 * A line of the audit for a reader: time, outcome, tool, caller and origin, verdict, the tokens of its result and of
 * models, duration. Any other line stays as it is.
 */
export function renderAuditLine(line: string, { style, width }: Surface): string {
  const call = read(line);
  if (!call) return clip(oneLine(line), width);
  const { at, caller, agent, turn, tool, verdict, by, outcome, ms, tokens, used } = call;
  const isOk = outcome === 'ok';
  const when = style.quiet(new Date(at).toLocaleString('sv'));
  const facts = [
    agent === undefined || caller === `agent:${agent}` ? caller : `${caller} as ${agent}`,
    turn && `in ${turn}`,
    // Calls that no rule asks about are the usual case.
    verdict && by !== 'rule' && `${verdict} by ${by}`,
    isOk ? undefined : outcome,
    tokens > 0 && `${shortNumber(tokens)} tokens`,
    used && `models ${shortNumber(used.input)} in, ${shortNumber(used.output)} out`,
    used?.cost !== undefined && shortCost(used.cost),
    shortTime(ms),
  ].filter((fact) => typeof fact === 'string');
  const told = style.quiet(` · ${facts.map(oneLine).join(' · ')}`);
  const mark = isOk ? style.good('✓') : style.bad('✗');
  return clip(`${when} ${mark} ${style.name(oneLine(tool))}${told}`, width);
}

function read(line: string): AuditLine | undefined {
  try {
    const call = parseJson(line) as Partial<AuditLine>;
    const isCall =
      typeof call.tool === 'string' && typeof call.ms === 'number' && typeof call.tokens === 'number';
    return isCall ? (call as AuditLine) : undefined;
  } catch {
    return undefined;
  }
}
