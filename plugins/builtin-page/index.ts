import { definePlugin, provide } from 'pegboard';
import { once } from 'pegboard/kit';
import { HttpPage } from 'pegboard/serving';
import { PageChats } from './channel/page-chats.ts';
import { pageSource } from './channel/page-source.ts';

/** The page in the browser, and its chats as a channel. The code of both is loaded when it is first needed. */
export default definePlugin({
  setup(context) {
    const open = once(async () => (await import('./channel/page-chat.ts')).createPageChat(context));
    return {
      channels: {
        [pageSource]: { deliver: async (...given) => await (await open()).channel.deliver(...given) },
      },
      provides: [
        provide(HttpPage, {
          open: async (host) => (await import('./web.ts')).createWeb(host, await open()),
        }),
        provide(PageChats, { open }),
      ],
    };
  },
});
