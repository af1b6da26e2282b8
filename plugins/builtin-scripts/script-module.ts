/** The first half of the ids of scripts that are run from their files. */
export const scriptModule = 'script';
