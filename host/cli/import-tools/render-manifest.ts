import { hash } from 'node:crypto';
import { CORE_SCHEMA, dump } from 'js-yaml';
import type { PlannedTool } from './tool-plan.ts';

const mark = /\n<!-- as imported: ([0-9a-f]{16}) -->\n$/;

/** The file of a tool. Its last line tells a later import whether somebody has changed it. */
export function renderManifest({ manifest, documentation }: PlannedTool): string {
  const keys = dump(manifest, { noRefs: true, lineWidth: 110, schema: CORE_SCHEMA });
  const body = documentation.trim();
  const text = `---\n${keys}---\n${body === '' ? '' : `\n${body}\n`}`;
  return `${text}\n<!-- as imported: ${digestOf(text)} -->\n`;
}

/** Whether an import wrote the file, and nobody has changed it since. */
export function isUntouched(text: string): boolean {
  const plain = text.replaceAll('\r\n', '\n');
  const [line, digest] = mark.exec(plain) ?? [];
  return line !== undefined && digestOf(plain.slice(0, -line.length)) === digest;
}

const digestOf = (text: string): string => hash('sha256', text).slice(0, 16);
