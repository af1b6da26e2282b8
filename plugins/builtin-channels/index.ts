import { definePlugin } from 'pegboard';

/** What channels are made with is "pegboard/channels": they name this plugin under requires, so that it can be left out. */
export default definePlugin({ setup: () => ({}) });
