import { proofCode, userStateOf } from 'pegboard/serving';
import type { CommandHandler } from 'pegboard/terminal';

export const run: CommandHandler = async ({ terminal, home, surroundings }) => {
  terminal.out.line(proofCode(userStateOf(home, surroundings)));
  terminal.err.line(terminal.err.style.quiet('Type it into the page within 10 minutes. It works once.'));
};
