import { PegboardError } from '../../core/errors.ts';

/** Thrown to an attempt at a turn that another one has taken over. */
export const claimLost = (): PegboardError =>
  new PegboardError(
    'PEG_CLAIM_LOST',
    'Another process has taken over this message, and answers it. Nothing more is done for it here.',
  );
