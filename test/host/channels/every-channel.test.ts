import { testChannel } from '../../kit/channels/channel-suite.ts';
import { startDouble } from '../../kit/channels/double-service.ts';
import { startFolder } from '../../kit/channels/folder-service.ts';
import { startTelegram } from '../../kit/channels/telegram-service.ts';

testChannel('a double', startDouble);
testChannel('Telegram', startTelegram);
testChannel('the folder of the example space', startFolder);
