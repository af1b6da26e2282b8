/** The tools that run where the person is. */
export const bridgeToolNames = ['show_file_picker', 'show_notification', 'show_dialog'] as const;

export const isBridgeTool = (name: string): boolean => (bridgeToolNames as readonly string[]).includes(name);
