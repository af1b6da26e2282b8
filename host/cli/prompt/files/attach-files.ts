import { readFile, stat } from 'node:fs/promises';
import { dirname, relative } from 'node:path';
import type { Surroundings } from '../../../api/surroundings.ts';
import type { Ask } from '../../../api/ask.ts';
import type { IncomingMessage } from '../../../api/conversation.ts';
import type { Workplace } from '../../../api/known-folders.ts';
import type { Origin } from '../../../api/provenance.ts';
import type { Content } from '../../../api/result.ts';
import type { Scope } from '../../../api/source.ts';
import { PegboardError } from '../../../core/errors.ts';
import { isFile, isWithin, realPathOf } from '../../../core/files/paths.ts';
import { secretInText } from '../../../core/secrets/secret-in-text.ts';
import { fileErrorInWords } from '../../../core/system-error.ts';
import { shortSize } from '../../../core/text/short-size.ts';
import type { Host } from '../../../host.ts';
import { workplaceAt } from '../../../workplace.ts';
import { absolutePathAtPrompt } from '../../absolute-path.ts';
import { mentionsIn } from './mentions.ts';
import { asSentence } from '../../../core/text/as-sentence.ts';

/** A message with the files that it mentions: what is said of them follows its text. */
export interface MessageWithFiles extends Required<
  Pick<IncomingMessage, 'text' | 'attachments' | 'untrusted'>
> {
  /** One for each file, for the person: "photo.png (34 kB)". */
  readonly files: readonly string[];
}

const maxFiles = 20;
const megabyte = 1024 * 1024;
const maxFileBytes = 20 * megabyte;

export interface AttachOptions {
  readonly scope: Scope;
  /** Undefined where nobody can be asked. */
  readonly ask: Ask | undefined;
  readonly signal: AbortSignal;
  /** Whether the prompt itself has made the file for a message. */
  readonly isPasted: (path: string) => boolean;
}

/**
 * Adds the files that a person mentions in a message. What is no file stays text. Files outside of the known folders,
 * those with a secret in them, and those that a rule asks about are asked about. Throws PEG_DENIED for a file that a rule
 * denies, that by its name may hold secrets or belongs to Pegboard, PEG_DECLINED after a No, and PEG_USAGE for files that
 * are too many, too large or can't be read.
 */
export async function attachFiles(
  text: string,
  { home, surroundings, uploads }: Pick<Host, 'home' | 'surroundings' | 'uploads'>,
  options: AttachOptions,
): Promise<MessageWithFiles> {
  const found = mentionsIn(text).flatMap(
    (written) => written.map((path) => absolutePathAtPrompt(path, surroundings)).find(isFile) ?? [],
  );
  const workplace = workplaceAt(home, surroundings);
  for (const path of found) refuseLinkElsewhere(path, workplace);
  const paths = [...new Set(found.map(realPathOf))];
  if (paths.length > maxFiles)
    throw refusal('PEG_USAGE', `The message mentions ${paths.length} files; up to ${maxFiles} are sent.`);
  const doubtful: string[] = [];
  for (const path of new Set(found)) {
    if (options.isPasted(realPathOf(path))) continue;
    const { decision, reason } = await uploads.judge(path, options.scope, workplace);
    if (decision === 'refuse')
      throw refusal('PEG_DENIED', `${reason}, which a message would show to the model.`);
    if (decision === 'ask' && !doubtful.includes(reason)) doubtful.push(reason);
  }
  const read = [];
  for (const path of paths) read.push(await readOwn(path));
  for (const { path, bytes } of read) {
    const secret = secretInText(bytes.toString('latin1'));
    if (secret !== undefined) doubtful.push(`${path} seems to hold ${secret}`);
  }
  await askAbout(doubtful, options);
  const notes: string[] = [];
  const attachments: Content[] = [];
  const untrusted: Origin[] = [];
  for (const file of read) {
    const received = await uploads.attach(file, options.scope);
    notes.push(...received.notes);
    attachments.push(...received.content);
    if (received.origin) untrusted.push(received.origin);
  }
  const files = read.map(
    ({ path, bytes }) => `${shortPath(path, surroundings)} (${shortSize(bytes.length)})`,
  );
  return { text: [text, ...notes].join('\n'), attachments, untrusted, files };
}

/** Only what was read before is sent, so that nothing can take a file's place while the question is open. */
async function askAbout(reasons: readonly string[], { ask, signal }: AttachOptions): Promise<void> {
  const [first] = reasons;
  if (first === undefined) return;
  if (!ask) throw refusal('PEG_DENIED', `${first}, and there is nobody to ask.`);
  const { action } = await ask(
    reasons.length === 1
      ? { message: `${first}. Send it to the model?` }
      : { message: 'Send these files to the model?', detail: reasons.join('\n') },
    signal,
  );
  if (action !== 'accept') throw refusal('PEG_DECLINED', 'You answered No.');
}

/**
 * A link that leads out of the project, or of its own folder elsewhere, may be somebody else's: it shows a harmless name,
 * and means another file.
 */
function refuseLinkElsewhere(path: string, workplace: Workplace | undefined): void {
  const { folder, project } = workplace ?? {};
  const standing = project?.root ?? folder;
  const own = realPathOf(dirname(path));
  const place = standing !== undefined && isWithin(standing, path) ? standing : own;
  const real = realPathOf(path);
  if (!isWithin(place, real))
    throw refusal('PEG_DENIED', `${path} leads to ${real}: mention that file itself, if you mean it.`);
}

/** What the system shows as files, among it the memory and the variables of processes. */
const systemFolders = ['/proc', '/sys'];

async function readOwn(path: string): Promise<{ readonly path: string; readonly bytes: Buffer }> {
  if (systemFolders.some((folder) => isWithin(folder, path)))
    throw refusal('PEG_DENIED', `${path} is no ordinary file.`);
  try {
    const { size } = await stat(path);
    if (size > maxFileBytes)
      throw refusal(
        'PEG_USAGE',
        `${path} has ${shortSize(size)}; files of up to ${maxFileBytes / megabyte} MB are sent.`,
      );
    return { path, bytes: await readFile(path) };
  } catch (cause) {
    if (cause instanceof PegboardError) throw cause;
    throw refusal('PEG_USAGE', `${path} can't be read: ${asSentence(fileErrorInWords(cause))}`);
  }
}

const refusal = (code: 'PEG_DENIED' | 'PEG_DECLINED' | 'PEG_USAGE', reason: string): PegboardError =>
  new PegboardError(code, `${reason} The message was not sent: ↑ brings it back.`);

/** Relative where the person stands, if it is there. */
const shortPath = (path: string, { cwd }: Pick<Surroundings, 'cwd'>): string =>
  isWithin(cwd(), path) ? relative(cwd(), path) : path;
