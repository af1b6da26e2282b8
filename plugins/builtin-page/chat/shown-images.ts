/** Images that browsers show without running anything in them, for both sides. Everything else is for the disk. */
export const shownImages = /^image\/(?:png|jpeg|gif|webp|avif)$/;
