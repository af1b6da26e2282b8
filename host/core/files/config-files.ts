/** The file that makes a folder a home. */
export const configFile = 'pegboard.yaml';

/** The settings of one machine, on top of `configFile`. Not in version control. */
export const localConfigFile = 'pegboard.local.yaml';

/** MCP servers, as other clients write them. */
export const mcpFile = '.mcp.json';

/** Every file that configures a home. */
export const configFiles: readonly string[] = [configFile, localConfigFile, mcpFile];
