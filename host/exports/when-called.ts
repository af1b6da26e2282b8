/**
 * Functions of "pegboard/kit" whose code is loaded with the first call: in a clone, a plugin that takes one name of an entry
 * loads the files of all its names.
 */
export const addServers: typeof import('../servers/add-servers.ts').addServers = async (...given) =>
  (await import('../servers/add-servers.ts')).addServers(...given);

export const findImportable: typeof import('../servers/import-clients.ts').findImportable = async (
  ...given
) => (await import('../servers/import-clients.ts')).findImportable(...given);

export const lint: typeof import('../sources/manifests/check/lint.ts').lint = async (...given) =>
  (await import('../sources/manifests/check/lint.ts')).lint(...given);

export const lintText: typeof import('../sources/manifests/check/lint-text.ts').lintText = async (...given) =>
  (await import('../sources/manifests/check/lint-text.ts')).lintText(...given);

export const loadConfigWithoutSecrets: typeof import('../config.ts').loadConfigWithoutSecrets = async (
  ...given
) => (await import('../config.ts')).loadConfigWithoutSecrets(...given);

export const storeSecret: typeof import('../secrets/change-secrets.ts').storeSecret = async (...given) =>
  (await import('../secrets/change-secrets.ts')).storeSecret(...given);

export const writeConfigValue: typeof import('../write-config.ts').writeConfigValue = async (...given) =>
  (await import('../write-config.ts')).writeConfigValue(...given);

export const writeServer: typeof import('../write-config.ts').writeServer = async (...given) =>
  (await import('../write-config.ts')).writeServer(...given);
