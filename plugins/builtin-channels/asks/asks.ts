import { type Ask, asSentence, type ButtonPress, parseJson, type ReceivedMessage } from 'pegboard';
import { kindOf, messageOf, questionText } from 'pegboard/kit';
import { filesIn } from '../incoming/attached.ts';
import { createAskSteps, type Answered, type AskStepsOptions } from './ask-steps.ts';
import type { AskPlace, StoredAsk } from './store.ts';
import { createTell } from './tell.ts';
import { stepsOf, toAnswer, type AskedStep, type ButtonChoice, type Step, type StepAnswer } from './steps.ts';
import { detailFile, fromData, howToAnswer } from './view.ts';

/** Questions to people in chats. A question that waits doesn't block other questions. */
export interface Asks {
  askIn(place: AskPlace): Ask;
  /** Returns the notice to show for a pressed button, or undefined when it is not a button of a question. */
  press(press: ButtonPress): Promise<string | undefined>;
  /**
   * True: the message answers a question and must not be passed to the agent. `whole` is called if it may: the message with
   * the rest of its text.
   */
  answerBy(message: ReceivedMessage, whole: () => Promise<ReceivedMessage>): Promise<boolean>;
  /** Closes the questions of a turn that is over. */
  close(event: number): Promise<void>;
  /** After a restart: closes the questions of turns that won't be resumed. */
  recover(): Promise<void>;
}

export function createAsks(options: AskStepsOptions): Asks {
  const { store, driver, title, signal: stopping } = options;
  const steps = createAskSteps(options);
  const tell = createTell(options);

  return {
    askIn: (where) => async (question, signal) => {
      const kind = kindOf(question);
      if (kind === 'notification') {
        await tell.text(where.address, questionText(question), signal);
        return { action: 'accept', content: { shown: title }, by: title };
      }
      const parts = stepsOf(question);
      const whole = detailFile(question, driver);
      if (whole !== undefined) await tell.whole(where.address, whole, signal);
      const answers: Answered[] = [];
      for (const index of parts.keys()) {
        const answer = await steps.ask(where, question, index, signal);
        if (!answer) return { action: 'cancel' };
        answers.push(answer);
        if (answer.action === 'decline') break;
      }
      const { by, token } = answers.at(-1)!;
      return {
        ...toAnswer(parts, answers),
        by: `${by}, ${title}`,
        onLost: (outcome) => steps.withdraw(token, outcome),
      };
    },

    async press({ data, from, address, message }) {
      const pressed = fromData(data);
      const ask = pressed && (await store.byToken(pressed.token));
      if (!ask || !pressed) return undefined;
      if (!from || from.id !== ask.person || address.chat !== ask.chat)
        return 'This question is for somebody else.';
      const choice = (parseJson(ask.choices ?? '[]') as readonly ButtonChoice[])[pressed.choice];
      const isLate = Date.parse(ask.expires_at) <= Date.now();
      if (ask.state !== 'open') return tooLate(ask);
      if (!choice || isLate) return expired;
      const decision = { label: choice.label, by: from.name, message: message ?? ask.message };
      const isFirst = await steps.decide(ask, choice.value, decision);
      return isFirst ? choice.label.slice(0, 100) : tooLate((await store.byToken(ask.token)) ?? ask);
    },

    async answerBy(received, whole) {
      const { from, address, replyTo, isPrivate } = received;
      const files = filesIn(received);
      if (!from || (received.answer === undefined && files.length === 0)) return false;
      const open = (await store.waitingIn(address.chat)).filter(({ person }) => person === from.id);
      const ask =
        (replyTo !== undefined && open.find(({ message }) => message === replyTo)) ||
        (isPrivate && replyTo === undefined ? open[0] : undefined);
      const step = ask && storedStep(ask);
      if (!ask || !step) return false;
      const { answer: text } = await whole();
      if (files.length > 0 || text === undefined) {
        if (step.takesFiles === undefined) return false;
        const sent = files.slice(0, step.takesFiles);
        try {
          const value = await Promise.all(sent.map(options.receivePicked));
          const label = sent.map(({ name }) => name).join(', ');
          return await steps.decide(
            ask,
            { action: 'accept', value },
            { label: label.slice(0, 300), by: from.name, message: ask.message },
          );
        } catch (thrown) {
          await tell.text(address, `${sentenceOf(thrown)} Send another one, or decline.`, stopping);
          return true;
        }
      }
      // Where there are buttons, a text counts only when it is a reply.
      const isReply = replyTo !== undefined;
      try {
        const answer = readAnswer(step, text, { isReply, hasButtons: driver.hasButtons === true });
        const isDeclined = answer.action !== 'accept' && !('instead' in answer);
        const label = isDeclined ? 'Declined' : text.slice(0, 300);
        return await steps.decide(ask, answer, { label, by: from.name, message: ask.message });
      } catch (thrown) {
        if (!isReply && step.choices && driver.hasButtons) return false;
        const help =
          driver.hasButtons || !step.choices ? (thrown as Error).message : howToAnswer(step.choices);
        await tell.text(address, help, stopping);
        return true;
      }
    },

    async close(event) {
      for (const ask of await store.leftOf(event)) await steps.close(ask, '⌛ Not needed any more');
    },

    async recover() {
      for (const ask of await store.orphans())
        await steps.close(ask, '⌛ Expired: Pegboard was restarted before an answer came');
    },
  };
}

/**
 * "No, use staging" declines and says what to do instead, as does every other reply to a question with buttons. Throws with
 * a message for the person.
 */
function readAnswer(
  { read, takesInstead }: Step,
  text: string,
  { isReply, hasButtons }: { readonly isReply: boolean; readonly hasButtons: boolean },
): StepAnswer {
  try {
    return read(text);
  } catch (thrown) {
    const afterNo = /^no\b[\s,.:;–-]+(\S.*)$/is.exec(text)?.[1];
    const instead = afterNo ?? (hasButtons ? text : undefined);
    if (!takesInstead || instead === undefined || (hasButtons && !isReply)) throw thrown;
    return { action: 'decline', instead };
  }
}

/** The turn that waits for the answer may run on another host, or not yet again. */
function storedStep({ step }: StoredAsk): Step | undefined {
  if (step === null) return undefined;
  const { question, index } = parseJson(step) as AskedStep;
  return stepsOf(question)[index];
}

/** The notice for a button of a question that is over. At most 200 characters. */
function tooLate({ answer }: StoredAsk): string {
  if (answer === null) return expired;
  const { by, instead } = parseJson(answer) as { readonly by?: string; readonly instead?: string };
  if (instead !== undefined) return `This was answered already: ${instead}.`.slice(0, 200);
  return by === undefined ? expired : `This was answered already by ${by}.`;
}

/** A reason as a sentence of its own. */
const sentenceOf = (thrown: unknown): string => {
  const reason = asSentence(messageOf(thrown));
  return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}`;
};

const expired = 'This question has expired.';
