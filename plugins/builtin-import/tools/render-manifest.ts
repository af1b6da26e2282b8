import { hash } from 'node:crypto';
import { CORE_SCHEMA, dump } from 'js-yaml';
import type { PlannedTool } from './tool-plan.ts';

const mark = /\n<!-- as imported: ([0-9a-f]{16}) -->\n$/;

/** The file of a tool. Its last line tells a later import of the same `source` whether somebody has changed it. */
export function renderManifest({ manifest, documentation }: PlannedTool, source: string): string {
  const keys = dump(manifest, { noRefs: true, lineWidth: 110, schema: CORE_SCHEMA });
  const body = documentation.trim();
  const text = `---\n${keys}---\n${body === '' ? '' : `\n${body}\n`}`;
  return `${text}\n<!-- as imported: ${digestOf(source, text)} -->\n`;
}

/** Whether an import of this source wrote the file, and nobody has changed it since. */
export function isUntouched(text: string, source: string): boolean {
  const plain = text.replaceAll('\r\n', '\n');
  const [line, digest] = mark.exec(plain) ?? [];
  return line !== undefined && digestOf(source, plain.slice(0, -line.length)) === digest;
}

const digestOf = (source: string, text: string): string => hash('sha256', `${source}\n${text}`).slice(0, 16);
