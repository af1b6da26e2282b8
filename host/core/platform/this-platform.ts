/** The system that this process runs on. Functions take another one as a parameter, for tests. */
export const thisPlatform: NodeJS.Platform = process.platform;
