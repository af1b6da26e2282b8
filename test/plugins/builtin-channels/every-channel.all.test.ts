import { testMoreKills, testRefusedKills } from '../../kit/channels/channel-suite.ts';
import { startDiscord } from '../../kit/channels/discord-service.ts';
import { startFolder } from '../../kit/channels/folder-service.ts';
import { startTelegram } from '../../kit/channels/telegram-service.ts';

const moments = ['while the model works', 'after a tool has run'] as const;
testMoreKills('Discord', startDiscord, moments);
testMoreKills('the folder of the example space', startFolder, moments);

testRefusedKills('Telegram', startTelegram);
testRefusedKills('Discord', startDiscord);
testRefusedKills('the folder of the example space', startFolder);
