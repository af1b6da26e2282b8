/** In `npm run soak`, tests that repeat what may go wrong by chance do so more often. */
export const isSoak = process.env['PEGBOARD_SOAK'] !== undefined;

/** In `PEGBOARD_TESTS=all` too, for what takes long and is tested at a smaller size each time. */
export const isLong = isSoak || process.env['PEGBOARD_TESTS'] === 'all';
