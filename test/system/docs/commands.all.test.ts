import { test } from 'vitest';
import { documentRunner, first, timeout, withCommands } from './run-document.ts';

test.for(withCommands.filter((document) => !first.includes(document)))(
  'in a fresh clone, the commands and files of %s do what it says',
  { timeout },
  documentRunner(),
);
