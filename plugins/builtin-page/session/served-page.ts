import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isAbandoned, readJsonFile, writeJsonFile } from 'pegboard/kit';
import { openTickets, randomCode, webFolderOf } from 'pegboard/serving';
import { thisProcess } from 'pegboard/processes';

interface Served {
  /** "http://127.0.0.1:3917" */
  readonly origin: string;
  readonly owner: string;
  /** ISO 8601 */
  readonly since: string;
}

const fileOf = (stateFolder: string): string => join(webFolderOf(stateFolder), 'server.json');

/** Notes where this process serves the page of a home, until it is disposed. */
export async function noteServedPage(stateFolder: string, origin: string): Promise<Disposable> {
  const file = fileOf(stateFolder);
  await writeJsonFile(file, { origin, owner: thisProcess, since: new Date().toISOString() } satisfies Served);
  const written = readFileSync(file, 'utf8');
  return {
    [Symbol.dispose]() {
      // Another process may serve it by now.
      try {
        if (readFileSync(file, 'utf8') === written) rmSync(file);
      } catch {
        // It is gone already.
      }
    },
  };
}

/** The origin of the page that a running process serves; undefined if none does. */
export function servedPage(stateFolder: string): string | undefined {
  const { origin, owner, since } = (readJsonFile(fileOf(stateFolder)) ?? {}) as Partial<Served>;
  if (typeof origin !== 'string' || typeof owner !== 'string' || typeof since !== 'string') return undefined;
  return isAbandoned(owner, since) ? undefined : origin;
}

/** An address that opens the page signed in: once, and within a minute. */
export function pageLink(stateFolder: string, origin: string): string {
  const code = randomCode();
  openTickets(stateFolder).write('open', code);
  // After the "#", so that it is never sent to a server or kept in a log.
  return `${origin}/#open=${code}`;
}

/**
 * The address of a file that leads a browser to the link. Every user of a machine sees the arguments of its programs, but
 * not the files of others.
 */
export function fileWithLink(stateFolder: string, link: string): string {
  const html = `<!doctype html>
<meta charset="utf-8" />
<meta name="color-scheme" content="light dark" />
<meta name="referrer" content="no-referrer" />
<meta http-equiv="refresh" content="0; url=${link}" />
<title>Pegboard</title>
<p><a href="${link}">Go on to the page</a></p>
`;
  return pathToFileURL(openTickets(stateFolder).write('link', link, html)).href;
}
