/** How the text of a message about a reaction begins. The rest may quote what an agent wrote. */
export const reactionStart = '[User reacted with ';
