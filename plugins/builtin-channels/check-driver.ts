import type { ChannelDriver, ChannelEvent, StyledMessage } from 'pegboard';
import { shownLine } from 'pegboard/kit';
import { ChannelFailure } from './failure.ts';
import { withinLimits } from './outgoing/button-limits.ts';

type Check = (value: unknown) => boolean;

const isString: Check = (value) => typeof value === 'string';
const isBoolean: Check = (value) => typeof value === 'boolean';
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
const object =
  (members: { readonly [name: string]: Check }): Check =>
  (value) =>
    isObject(value) && Object.entries(members).every(([name, check]) => check(value[name]));
const isObject = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === 'object' && value !== null;

/** Colons separate a chat from its topic. */
const isChat: Check = (value) => typeof value === 'string' && !value.includes(':');
const isId: Check = (value) => typeof value === 'string' && value !== '';

const isHistory = listOf(
  object({ id: isId, isOwn: isBoolean, text: isString, buttons: listOf(isString), event: isObject }),
);
const isReceivedFile = object({
  id: isString,
  name: isString,
  mimeType: isString,
  sizeBytes: Number.isFinite,
  isVoice: optional(isBoolean),
});

const fromSomebody = {
  address: object({ chat: isChat, topic: optional(isString) }),
  from: optional(object({ id: isId, name: isString })),
  isPrivate: isBoolean,
};

const kinds: { readonly [K in ChannelEvent['kind']]: { readonly [name: string]: Check } } = {
  message: {
    ...fromSomebody,
    id: isString,
    text: isString,
    isEdited: optional(isBoolean),
    isForwarded: optional(isBoolean),
    isAddressed: optional(isBoolean),
    command: optional(object({ name: isString, rest: isString })),
    answer: optional(isString),
    replyTo: optional(isString),
    repliesToUs: optional(isBoolean),
    quote: optional(isString),
    untrusted: optional(listOf(object({ kind: isString, what: isString }))),
    files: optional(listOf(isReceivedFile)),
    unsupported: optional(isString),
    album: optional(isString),
  },
  reaction: { ...fromSomebody, to: isString, emojis: listOf(isString) },
  press: { ...fromSomebody, id: isString, data: isString, message: optional(isString) },
  chat: { ...fromSomebody, movedTo: optional(isId) },
};

function problemOf(event: unknown): string | undefined {
  if (!isObject(event)) return 'something that is not an event';
  const kind = String(event['kind']);
  if (!Object.hasOwn(kinds, kind)) return 'an event whose kind is not message, reaction, press or chat';
  const [wrong] = Object.entries(kinds[kind as ChannelEvent['kind']]).filter(
    ([name, check]) => !check(event[name]),
  );
  return wrong && `a ${kind} whose ${wrong[0]} is missing or not as ChannelEvent has it`;
}

/**
 * A driver whose results are checked: a wrong one makes the call throw, and says what is wrong. Buttons are within its
 * limits, and names of people single lines in which every character is visible.
 */
export function checkDriver(driver: ChannelDriver, title: string): ChannelDriver {
  const mistake = (method: keyof ChannelDriver, returned: string): string =>
    `the driver of ${title} has a mistake: "${method}" returned ${returned}`;
  /** The service has been called: what became of it is unknown. */
  const checked = <T>(method: keyof ChannelDriver, result: T, isRight: Check, wanted: string): T => {
    if (isRight(result)) return result;
    throw new ChannelFailure('unknown', mistake(method, `${typeof result}, not ${wanted}`));
  };
  const own: Partial<ChannelDriver> = {
    read(body) {
      const event = driver.read(body) ?? undefined;
      if (event === undefined) return undefined;
      const problem = problemOf(event);
      if (problem !== undefined) throw new TypeError(mistake('read', problem));
      return event.from ? { ...event, from: { ...event.from, name: shownLine(event.from.name) } } : event;
    },
    send: async (to, content, options, signal) => {
      const id = await driver.send(to, content, withinLimits(options, driver), signal);
      return checked('send', id, isString, "the message's id");
    },
    ...(driver.edit && {
      edit: (to, id, text, options, signal) =>
        driver.edit!(to, id, text, withinLimits(options, driver), signal),
    }),
    ...(driver.find && {
      async find(lost, known, signal) {
        const shown = { ...lost, options: withinLimits(lost.options, driver) };
        const id = await driver.find!(shown, known, signal);
        return checked('find', id, optional(isString), "the message's id");
      },
    }),
    ...(driver.history && {
      history: async (...call) =>
        checked('history', await driver.history!(...call), isHistory, 'a list of messages'),
    }),
    ...(driver.render && {
      render(markdown): readonly StyledMessage[] {
        const messages = driver.render!(markdown);
        if (listOf(object({ text: isString, markup: optional(isString) }))(messages)) return messages;
        throw new TypeError(mistake('render', 'something other than a list of messages with a text'));
      },
    }),
  };
  return new Proxy(driver, {
    get(target, name) {
      if (Object.hasOwn(own, name)) return own[name as keyof ChannelDriver];
      const member: unknown = Reflect.get(target, name);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
}
