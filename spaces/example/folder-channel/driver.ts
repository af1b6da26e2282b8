import { randomUUID } from 'node:crypto';
import { link, mkdir, readdir, readFile, rename, stat, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ChannelDriver, Logger, MessageContent, RawEvent } from 'pegboard';
import { ChannelFailure } from 'pegboard/channels';

/** What is stored of a file. */
interface Letter {
  /** The folder that it was in: whoever can write there is this person. */
  readonly person: string;
  readonly name: string;
  readonly text: string;
}

const pollMs = 250;
/** Milliseconds without a change after which a file is complete. */
const settledMs = 100;
/** A file that comes with an answer may end so, too. */
const isLetter = (name: string): boolean => name.endsWith('.txt') && !name.startsWith('answer-');
const isName = (text: string): boolean => /^\w[\w-]*$/.test(text);

/** Messages are files, FOLDER/PERSON/….txt. Answers are files beside them, answer-1.md and so on. */
export function createFolderDriver(folder: string, log: Logger): ChannelDriver {
  return {
    async listen(inbox, signal) {
      await mkdir(folder, { recursive: true });
      let isFailing = false;
      while (!signal.aborted) {
        try {
          for await (const { path, event } of lettersIn(folder)) {
            await inbox.take([event]);
            // It is on disk by now. Before that, the next start finds it again.
            await rename(path, `${path}.taken`);
          }
          isFailing = false;
        } catch (cause) {
          if (!isFailing) log.warn('the folder could not be read', { folder, cause });
          isFailing = true;
        }
        await delay(pollMs, undefined, { signal }).catch(() => {});
      }
    },

    read(body) {
      const { person, name, text } = body as Letter;
      return {
        kind: 'message',
        id: name,
        address: { chat: person },
        from: { id: person, name: person },
        isPrivate: true,
        text,
        answer: text,
      };
    },

    async send({ chat }, content) {
      try {
        await mkdir(join(folder, chat), { recursive: true });
        return await writeNext(join(folder, chat), content);
      } catch (cause) {
        // It is not the answer's fault: it waits until the folder can be written again.
        const scope = (await isFolder(folder)) ? 'chat' : 'account';
        const reason = `the answer could not be written: ${(cause as Error).message}`;
        throw new ChannelFailure('refused', reason, { scope, cause });
      }
    },

    // Names come from outside, too: nothing is written elsewhere.
    addressProblem: ({ chat, topic }) =>
      isName(chat) && topic === undefined ? undefined : 'give the name of a folder, such as "anna"',
  };
}

const isFolder = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined))?.isDirectory() === true;

async function* lettersIn(
  folder: string,
): AsyncGenerator<{ readonly path: string; readonly event: RawEvent }> {
  for (const person of (await readdir(folder)).filter(isName)) {
    const names = await readdir(join(folder, person)).catch(() => []);
    for (const name of names.filter(isLetter).toSorted()) {
      const path = join(folder, person, name);
      const { mtimeMs, size } = await stat(path);
      if (size === 0 || Date.now() - mtimeMs < settledMs) continue;
      const text = (await readFile(path, 'utf8')).trim();
      // The same name may be used again; the same file comes again only where the process ended in between.
      yield { path, event: { id: `${person}/${name}@${mtimeMs}`, body: { person, name, text } } };
    }
  }
}

/** Returns the name of the new file. */
async function writeNext(folder: string, content: MessageContent): Promise<string> {
  const isText = content.kind === 'text';
  const data = isText ? `${content.text}\n` : Buffer.from(content.data, 'base64');
  const end = isText ? '.md' : `-${content.name.replaceAll(/[^\w.-]+/g, '_')}`;
  const numbers = (await readdir(folder)).map((name) => Number(/^answer-(\d+)/.exec(name)?.[1] ?? 0));
  // Whoever waits for the file never sees half of it.
  const draft = join(folder, `.${randomUUID()}`);
  await writeFile(draft, data);
  for (let number = Math.max(0, ...numbers) + 1; ; number++) {
    const name = `answer-${number}${end}`;
    try {
      await link(draft, join(folder, name));
      await unlink(draft);
      return name;
    } catch (cause) {
      // Another process was faster.
      if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
    }
  }
}
