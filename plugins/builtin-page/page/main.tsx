import { render } from 'preact';
import { messageOf, signedOut, signIn } from './api.ts';
import { followNotifications } from './bridge/notifications.ts';
import { reportTab } from './bridge/this-tab.ts';
import { follow } from './live/live.ts';
import { apply } from './look.ts';
import { startRouter } from './router.ts';
import { Shell } from './shell.tsx';
import { startShortcuts } from './shortcuts.ts';

apply();
startRouter();
startShortcuts();
try {
  await signIn();
} catch (cause) {
  signedOut.value = messageOf(cause);
}
render(<Shell />, document.querySelector('#app')!);
performance.mark('page-shown');
if (signedOut.value === undefined) {
  reportTab();
  followNotifications();
  await follow();
}
