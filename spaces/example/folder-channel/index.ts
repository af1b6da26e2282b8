import { join } from 'node:path';
import { definePlugin } from 'pegboard';
import { createChannel } from 'pegboard/channels';
import { createFolderDriver } from './driver.ts';

export default definePlugin<{ readonly folder: string }>({
  setup(context) {
    const { config, home, log } = context;
    const driver = createFolderDriver(join(home, config.folder), log);
    const channel = createChannel(context, {
      name: 'folder',
      title: 'the folder',
      driver: () => Promise.resolve(driver),
    });
    return channel.contributions;
  },
});
