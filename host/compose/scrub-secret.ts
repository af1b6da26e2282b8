import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '../api/log.ts';
import { writePrivateFile } from '../core/files/json-file.ts';
import type { Redactor } from '../core/secrets/redact.ts';
import { minFormLength } from '../core/secrets/secret-forms.ts';
import type { PluginInstance } from '../plugins/instance.ts';
import type { Database } from '../store/database/database.ts';
import { scrubSecret } from '../store/secrets/scrub-secret.ts';

export interface ScrubOptions {
  readonly home: string;
  readonly database: Database;
  readonly plugins: () => readonly PluginInstance[];
  readonly redactor: Redactor;
  readonly log: Logger;
}

/**
 * Secrets are often sent to an agent before they are stored. Removes one from conversations, from what was derived from
 * them, and from the prompt's history. Never rejects: the secret is stored anyway.
 */
export async function scrubSecretFromHome(
  value: string,
  { home, database, plugins, redactor, log }: ScrubOptions,
): Promise<void> {
  if (value.length < minFormLength) return;
  try {
    const history = join(home, 'data/history');
    const typed = await readFile(history, 'utf8').catch(() => '');
    if (typed.includes(value)) await writePrivateFile(history, redactor.text(typed));
    const open = await database.existing();
    if (!open) return;
    if ((await scrubSecret(open, value)) === 0) return;
    for (const { onSecretScrubbed } of plugins()) await onSecretScrubbed(value);
    await database.purge();
  } catch (cause) {
    log.warn('a secret could not be removed from stored data', { cause });
  }
}
