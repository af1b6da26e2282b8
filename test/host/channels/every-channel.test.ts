import { isOnPostgres } from '../../kit/database.ts';
import { testChannel } from '../../kit/channels/channel-suite.ts';
import { startDouble } from '../../kit/channels/double-service.ts';
import { startFolder } from '../../kit/channels/folder-service.ts';
import { startTelegram } from '../../kit/channels/telegram-service.ts';
import { isSoak } from '../../kit/soak.ts';

testChannel('a double', startDouble);
// What is stored doesn't depend on the driver, so that one is enough for the second kind of database.
if (!isOnPostgres || isSoak) {
  testChannel('Telegram', startTelegram);
  testChannel('the folder of the example space', startFolder);
}
