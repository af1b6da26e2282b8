import { isOnPostgres } from '../../kit/database.ts';
import { testChannel } from '../../kit/channels/channel-suite.ts';
import { startDiscord } from '../../kit/channels/discord-service.ts';
import { startDouble } from '../../kit/channels/double-service.ts';
import { startFolder } from '../../kit/channels/folder-service.ts';
import { startTelegram } from '../../kit/channels/telegram-service.ts';
import { isSoak } from '../../kit/run/tiers.ts';

// What is stored doesn't depend on the driver: one of them is enough for each kind of database, outside of a soak.
if (isOnPostgres || isSoak) testChannel('a double', startDouble);
if (!isOnPostgres || isSoak) {
  testChannel('Telegram', startTelegram);
  testChannel('Discord', startDiscord);
  testChannel('the folder of the example space', startFolder);
}
