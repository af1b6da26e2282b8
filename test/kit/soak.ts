/** In `npm run soak`, tests that repeat what may go wrong by chance do so more often. */
export const isSoak = process.env['PEGBOARD_SOAK'] !== undefined;
