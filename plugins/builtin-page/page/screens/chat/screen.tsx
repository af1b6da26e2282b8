import { useEffect } from 'preact/hooks';
import type { ChatEvent, ChatList, ChatRow } from '../../../chat/wire.ts';
import { chatListeners } from '../../live/live.ts';
import { reading } from '../../live/reading.ts';
import { Back } from '../../parts/back.tsx';
import { Broken } from '../../parts/broken.tsx';
import { HiddenText } from '../../parts/hidden-text.tsx';
import { Offline } from '../../parts/offline.tsx';
import { shortTime } from '../../parts/time.ts';
import { Words } from '../../parts/words.tsx';
import { path } from '../../router.ts';
import { Composer } from './composer.tsx';
import { Conversation } from './conversation.tsx';
import { placeOf } from './places.ts';
import { newChat } from './unsent.ts';

/** Milliseconds for which changes of the list are collected. */
const collectMs = 400;

const list = reading<ChatList>('chats');

/** What does my agent do? */
export function ChatScreen() {
  useEffect(() => {
    const stop = list.follow();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onEvent = (event: ChatEvent): void => {
      if (event.type === 'turn' && event.turn.seq > 1) return;
      timer ??= setTimeout(() => {
        timer = undefined;
        void list.read();
      }, collectMs);
    };
    chatListeners.add(onEvent);
    return () => {
      clearTimeout(timer);
      chatListeners.delete(onEvent);
      stop();
    };
  }, []);
  const chosen = path.value[1] ?? '';
  const known = list.value.value;
  const commands = known?.commands ?? [];
  const id = chosen === '' ? newChat : chosen;
  return (
    <div class={chosen === '' ? 'split chat' : 'split chat chosen'}>
      <div class="side">
        <Chats chats={known?.chats} chosen={chosen} />
      </div>
      <div class="detail conversation">
        <Back title="Chat" to="/chat">
          All chats
        </Back>
        {known && !known.model.ok && <NoModel model={known.model} />}
        {id === newChat ? (
          <NewChat commands={commands} />
        ) : (
          <Conversation
            key={id}
            id={id}
            row={known?.chats.find((row) => row.id === id)}
            commands={commands}
          />
        )}
      </div>
    </div>
  );
}

function NewChat({ commands }: { readonly commands: ChatList['commands'] }) {
  return (
    <>
      <div class="transcript">
        <div class="column hello">
          <h2>A new chat</h2>
          <p class="quiet">
            Write what you want, or attach a file. What the agent calls is shown with its result, and what
            needs your word is asked here.
          </p>
        </div>
      </div>
      <Composer chat={newChat} isRunning={false} commands={commands} onSent={() => {}} />
    </>
  );
}

function NoModel({ model: { text, fix } }: { readonly model: ChatList['model'] }) {
  return (
    <p class="sheet no-model" role="status">
      <strong>No model answers here.</strong> {fix !== undefined && <Words text={`${fix}. `} />}The tools work
      without one.
      <br />
      <span class="quiet">{text}</span>
    </p>
  );
}

function Chats({
  chats,
  chosen,
}: {
  readonly chats: readonly ChatRow[] | undefined;
  readonly chosen: string;
}) {
  return (
    <>
      <div class="row">
        <h1>Chat</h1>
        <span class="grow" />
        <a class="button" href={`/chat/${newChat}`} aria-current={chosen === newChat ? 'page' : undefined}>
          New chat
        </a>
      </div>
      {!chats && <Offline knowsNothing />}
      {list.problem.value !== undefined && !chats && (
        <Broken what="The chats could not be read." why={list.problem.value} again={() => void list.read()} />
      )}
      {chats?.length === 0 && <p class="quiet empty">No chat yet. The first message begins one.</p>}
      <ul class="entries list">
        {chats?.map((row) => (
          <li key={row.id}>
            <a class="item" href={`/chat/${row.id}`} aria-current={row.id === chosen ? 'page' : undefined}>
              <span class="first">
                <b>
                  <HiddenText text={row.opening.split('\n', 1)[0] || 'Without a text'} />
                </b>
                {row.isRunning && <small class="tag">running</small>}
              </span>
              <span class="second">
                {row.source === 'web' ? '' : `${placeOf(row.source)} · `}
                {shortTime(Date.parse(row.at))}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}
