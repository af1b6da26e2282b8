import { randomUUID } from 'node:crypto';
import type { Answer, Ask } from '../api/ask.ts';
import type { Logger } from '../api/log.ts';
import type { Scope } from '../api/source.ts';
import type { Clock } from '../api/surroundings.ts';
import type { RegisteredTool, ToolCall } from '../api/tool.ts';
import { isAllowed } from '../core/answered-elsewhere.ts';
import { PegboardError } from '../core/errors.ts';
import { askElsewhere } from './ask-elsewhere.ts';
import { askerOf, placeOf } from './asker.ts';
import { askEverywhere, type RemoteAnswers } from './ask-everywhere.ts';

export interface CallAskOptions {
  /** Asks where the call comes from; undefined: nobody can be asked there. */
  readonly here: Ask | undefined;
  readonly elsewhere: RemoteAnswers | undefined;
  readonly tool: RegisteredTool;
  readonly scope: Scope;
  readonly from: Pick<ToolCall, 'caller' | 'turn'>;
  readonly log: Logger;
  readonly clock: Clock | undefined;
}

/** `ToolCall.ask`. */
export function createCallAsk({ here, elsewhere, tool, scope, from, log, clock }: CallAskOptions): Ask {
  const askHere = here ?? askElsewhere;
  return async (question, signal) => {
    // An inner call has kept it already, for everybody elsewhere.
    if (question.elsewhere) return await askHere(question, signal);
    const { message, detail = '', notes = [] } = question;
    const refusal = new PegboardError('PEG_NOBODY_TO_ASK', 'there is nobody to ask');
    try {
      const answer = await askEverywhere(
        question,
        {
          tool: tool.id,
          message,
          detail,
          notes,
          choices: [],
          asker: askerOf(from),
          agent: scope.agent,
          binding: randomUUID(),
        },
        { ask: askHere, here: placeOf(from), elsewhere, signal, refusal, log, clock },
      );
      const { by, content, meta } = answer;
      const said = { by, ...(meta && { meta }) };
      if (isAllowed(answer)) return { action: 'accept', ...said, ...(content && { content }) };
      return { action: answer.decision === 'no' ? 'decline' : 'cancel', ...said };
    } catch (cause) {
      if (cause === refusal) return unasked;
      throw cause;
    }
  };
}

const unasked: Answer = { action: 'decline', unasked: true };
