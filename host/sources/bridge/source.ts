import type { ToolSource } from '../../api/source.ts';
import type { Tool } from '../../api/tool.ts';
import { showDialog } from './show-dialog.ts';
import { showFilePicker } from './show-file-picker.ts';
import { showNotification } from './show-notification.ts';

/** Tools that run where the person is, by their names. */
export const bridgeTools: readonly Tool[] = [showFilePicker, showNotification, showDialog];

/** They are always listed, whether or not somebody can be asked at the moment. */
export const bridgeSource: ToolSource = {
  id: 'bridge',
  kind: 'builtin',
  module: 'bridge',
  description: 'Asks the person where they are: file picker, notification, dialog.',
  // Found by search where the preset leaves them out.
  lean: [],
  list: () => ({ tools: bridgeTools }),
};
