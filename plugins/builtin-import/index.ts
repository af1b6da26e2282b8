import { definePlugin } from 'pegboard';

/** All that it brings are commands, whose modules plugin.yaml names. */
export default definePlugin({ setup: () => {} });
