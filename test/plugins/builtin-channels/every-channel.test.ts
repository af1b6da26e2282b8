import { isOnPostgres } from '../../kit/database.ts';
import { killMoments, testChannel, testNewToken } from '../../kit/channels/channel-suite.ts';
import { startDiscord } from '../../kit/channels/discord-service.ts';
import { startDouble } from '../../kit/channels/double-service.ts';
import { startFolder } from '../../kit/channels/folder-service.ts';
import { startTelegram } from '../../kit/channels/telegram-service.ts';
import { isSoak } from '../../kit/run/tiers.ts';

// What is stored doesn't depend on the driver: one of them is enough for each kind of database, outside of a soak.
if (isOnPostgres || isSoak) testChannel('a double', startDouble);
if (!isOnPostgres || isSoak) {
  // One channel is killed at every moment, the others when it is up to their driver what becomes of a message:
  // every-channel.all.test.ts has the moments that are left.
  const moments = isOnPostgres ? killMoments : (['when the event is on disk', 'while it answers'] as const);
  testChannel('Telegram', startTelegram);
  testChannel('Discord', startDiscord, moments);
  testNewToken('Telegram', startTelegram);
  testNewToken('Discord', startDiscord);
  testChannel('the folder of the example space', startFolder, moments);
}
