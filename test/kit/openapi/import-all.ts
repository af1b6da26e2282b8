import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { checkPlan, type PlannedFile } from '../../../plugins/builtin-import/tools/check-plan.ts';
import { readApi } from '../../../plugins/builtin-import/tools/openapi/read-api.ts';

export interface ImportAllOptions {
  readonly server: string;
  /** Named after the document when absent. */
  readonly space?: string;
  /** How many tools are written at most. */
  readonly most?: number;
}

/** Writes the tools of a document's operations into the home, as the command does. */
export async function importAll(
  home: string,
  document: object,
  { server, space, most = Infinity }: ImportAllOptions,
): Promise<readonly PlannedFile[]> {
  const choice = { tags: [], paths: [], only: [], limit: Infinity };
  const plan = await readApi({ from: 'the document', value: document }, { space, server, ...choice });
  const { files } = await checkPlan(home, { ...plan, tools: plan.tools.slice(0, most) });
  for (const { path, text } of files) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
  return files;
}
