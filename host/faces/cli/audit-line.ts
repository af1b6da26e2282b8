import type { AuditLine } from '../../store/audit.ts';
import { shortTime } from './terminal/figures.ts';
import { oneLine } from './terminal/safe.ts';
import type { Surface } from './terminal/terminal.ts';
import { clip } from './terminal/width.ts';

/** A line of the audit for a reader: when, what, who, who allowed it, how it ended. What is no such line stays as it is. */
export function renderAuditLine(line: string, { style, width }: Surface): string {
  const call = read(line);
  if (!call) return clip(oneLine(line), width);
  const { at, caller, agent, tool, consent, outcome, ms } = call;
  const isOk = outcome === 'ok';
  const when = style.quiet(new Date(at).toLocaleString('sv'));
  const who = agent === undefined ? caller : `${caller} as ${agent}`;
  const allowed = consent === 'not needed' ? undefined : consent;
  const facts = [who, allowed, isOk ? undefined : outcome, shortTime(ms)].filter(
    (fact) => fact !== undefined,
  );
  const told = style.quiet(` · ${facts.map(oneLine).join(' · ')}`);
  return clip(
    `${when} ${isOk ? style.good('✓') : style.bad('✗')} ${style.name(oneLine(tool))}${told}`,
    width,
  );
}

function read(line: string): AuditLine | undefined {
  try {
    const call = JSON.parse(line) as Partial<AuditLine>;
    return typeof call.tool === 'string' && typeof call.ms === 'number' ? (call as AuditLine) : undefined;
  } catch {
    return undefined;
  }
}
