import { approveServer } from '../../approve/server.ts';
import type { Run } from '../../command.ts';

export const run: Run = async (context) => {
  const [name = '', ...wanted] = context.words;
  await approveServer(await context.openHost(), name, wanted, context);
};
