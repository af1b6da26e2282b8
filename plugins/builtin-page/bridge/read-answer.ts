import { type JsonObject, type OpenQuestion, PegboardError } from 'pegboard';
import { isChoice } from 'pegboard/channels';
import type { Host } from 'pegboard/embed';
import { type Decision, validatorOf } from 'pegboard/kit';
import { maxFiles } from '../channel/limits.ts';
import type { PageFiles } from '../store/page-files.ts';
import { fileIdsIn, textIn, type ApiRequest } from '../api/handler.ts';

export interface PageAnswer {
  readonly decision: Exclude<Decision, 'ended'>;
  readonly content?: JsonObject;
}

interface AnswerParts {
  readonly host: Host;
  /** That somebody has chosen. */
  readonly files: Pick<PageFiles, 'read'>;
}

/**
 * An answer that the page has sent to a question. Throws PEG_USAGE for one that does not fit; with a form its `data` has
 * `problems`, each at its field.
 */
export async function readAnswer(
  parts: AnswerParts,
  id: number,
  { body }: Pick<ApiRequest, 'body'>,
): Promise<PageAnswer> {
  const decision = textIn(body, 'decision');
  if (decision === 'no' || isChoice(decision)) return { decision };
  if (decision !== 'answered') throw new PegboardError('PEG_USAGE', `"${decision}" is no answer.`);
  const question = (await parts.host.questions.list()).find((open) => open.id === id);
  // `answer` says what became of it.
  if (!question) return { decision };
  return { decision, content: await contentFor(question, body, parts) };
}

async function contentFor(
  question: OpenQuestion,
  body: ApiRequest['body'],
  { host, files }: AnswerParts,
): Promise<JsonObject> {
  const { kind, schema, agent, multiple = false } = question;
  if (kind === 'files') {
    const ids = fileIdsIn(body, multiple ? maxFiles : 1);
    if (ids.length === 0) throw new PegboardError('PEG_USAGE', 'No file was chosen.');
    const chosen = await Promise.all(
      ids.map(async (id) => {
        const { file, content } = await files.read(id);
        return { id, name: file.name, type: file.type, content };
      }),
    );
    return { files: [...(await host.uploads.keep(chosen, host.scopeFor(agent)))] };
  }
  if (kind === 'notification') return { shown: textIn(body, 'shown') };
  const content = body['content'] ?? {};
  if (typeof content !== 'object' || Array.isArray(content))
    throw new PegboardError('PEG_USAGE', '"content" must be an object.');
  const problems = schema ? (await validatorOf(schema, 'left'))(content) : [];
  if (problems.length > 0)
    throw new PegboardError('PEG_USAGE', 'The answer is not complete, or does not fit.', {
      data: { problems },
    });
  return content as JsonObject;
}
