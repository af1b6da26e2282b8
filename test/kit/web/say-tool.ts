import { manifest } from '../homes/home.ts';

/** Files of a home with the tool `work.say`, which returns its `text`. */
export const sayTool = {
  'spaces/work/agent/tools/say.md': manifest(
    'say',
    'parameters: [{ name: text, type: string }]\ncommand: echo {{text}}',
  ),
};
