import { PegboardError } from 'pegboard';
import type { Tabs } from '../bridge/tabs.ts';
import { textIn, type ApiHandlers } from './handler.ts';

/** What tabs say of themselves, so that questions are asked where the person is. */
export function bridgeHandlers(tabs: Tabs): ApiHandlers {
  return {
    'POST tab': ({ path, body }) => {
      const id = path[0] ?? '';
      const { isVisible, idleMs, chat } = body;
      const load = textIn(body, 'load');
      if (!/^[\w-]{1,40}$/.test(id) || typeof isVisible !== 'boolean' || !isCount(idleMs))
        throw new PegboardError('PEG_USAGE', 'This says nothing about a tab.');
      tabs.report(id, {
        load,
        isVisible,
        idleMs,
        chat: chat === undefined ? undefined : textIn(body, 'chat'),
      });
    },
    'POST tab-closed': ({ path: [id = ''], body }) => tabs.leave(id, textIn(body, 'load')),
  };
}

const isCount = (value: unknown): value is number => typeof value === 'number' && value >= 0;
