const megabyte = 1_000_000;

/** What is fetched of a plugin and its packages, compressed. */
export const maxDownloadBytes = 250 * megabyte;
/** The plugin's own files. */
export const maxOwnFiles = 5_000;
export const maxOwnBytes = 50 * megabyte;
/** The packages that it depends on. */
export const maxPackageFiles = 50_000;
export const maxPackageBytes = 500 * megabyte;
/** Milliseconds for one run of npm or git. */
export const fetchTimeoutMs = 10 * 60_000;
