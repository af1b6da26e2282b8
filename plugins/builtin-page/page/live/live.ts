import { signal } from '@preact/signals';
import type { ChatEvent } from '../../chat/wire.ts';
import type { LiveEvent, OpenQuestionRow } from '../../wire.ts';
import { ApiError } from '../api.ts';
import { program, setProgram } from '../program.ts';
import { addCalls, calls, endRunningCalls, skippedCalls } from './calls.ts';
import { receive, type Received } from './event-stream.ts';

/** Whether the host's events arrive; undefined before the first attempt. */
export const connected = signal<boolean | undefined>(undefined);
/** Open questions; undefined until the host has sent them. */
export const questions = signal<readonly OpenQuestionRow[] | undefined>(undefined);
/** Increases when what was read from the host may be old: its tools have changed, or it was away. */
export const changes = signal(0);

/** Called with every event of the chats, each once and in order. */
export const chatListeners = new Set<(event: ChatEvent) => void>();

/** Calls that a tab gets from another one when it is opened. */
const shared = 500;
let last: string | undefined;
/** The version of everything that the registry knows. */
let registry: number | undefined;
let wasAway = false;

/** What tabs say to each other. */
type Message =
  | { readonly received: Received }
  | { readonly connected: boolean | undefined }
  | { readonly joined: true };

/**
 * Follows the host's events. Browsers open six connections to one server and an event stream holds one for good, so one
 * tab holds the stream and passes everything on; when it is closed, another one takes over.
 */
export async function follow(): Promise<void> {
  const tabs = new BroadcastChannel('pegboard-live');
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has one origin
  const tell = (message: Message): void => tabs.postMessage(message);
  let leads = false;
  tabs.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if ('received' in data) take(data.received);
    else if ('connected' in data) setConnected(data.connected);
    else if (leads) tellAll(tell);
  });
  tell({ joined: true });
  const lead = async (): Promise<void> => {
    leads = true;
    const onConnected = (is: boolean): void => {
      setConnected(is);
      tell({ connected: is });
    };
    for await (const received of receive(last, onConnected)) {
      take(received);
      tell({ received });
    }
  };
  try {
    // Without a secure connection browsers have no locks: then each tab has its own stream.
    await ('locks' in navigator ? navigator.locks.request('pegboard-live', lead) : lead());
  } catch (cause) {
    if (!(cause instanceof ApiError)) throw cause;
  }
}

/** What a new tab needs to show the same as this one. */
function tellAll(tell: (message: Message) => void): void {
  if (last === undefined) return;
  const events: readonly LiveEvent[] = [
    { type: 'hello', registry: registry ?? 0, program: program.value },
    { type: 'calls', rows: calls.slice(-shared) },
    { type: 'questions', open: questions.value ?? [] },
  ];
  tell({ connected: connected.value });
  for (const event of events) tell({ received: { id: last, event } });
}

function setConnected(is: boolean | undefined): void {
  connected.value = is;
  wasAway ||= is === false;
}

const epochOf = (id: string | undefined): string | undefined => id?.split(':', 1)[0];

function take({ id, event }: Received): void {
  if (last !== undefined && epochOf(id) !== epochOf(last)) endRunningCalls();
  last = id;
  switch (event.type) {
    case 'hello':
      setProgram(event.program);
      registryIs(event.registry);
      break;
    case 'tools':
      registryIs(event.registry);
      break;
    case 'calls':
      addCalls(event.rows);
      break;
    case 'gap':
      skippedCalls.value += event.rows;
      break;
    case 'questions':
      questions.value = event.open;
      break;
    case 'turn':
    case 'turn-ended':
    case 'chats':
      for (const listener of chatListeners) listener(event);
      break;
  }
}

function registryIs(version: number): void {
  if (wasAway || (registry !== undefined && registry !== version)) changes.value++;
  registry = version;
  wasAway = false;
}
