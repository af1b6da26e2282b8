/** Programs whose output comes from the network. */
const programs = `curl curlie wget wget2 aria2c axel http https httpie xh lynx w3m elinks links yt-dlp youtube-dl
nc ncat netcat socat telnet ftp lftp tftp ssh scp sftp sshpass mosh rsync rclone dig host nslookup whois drill finger
mutt mail mailx fetchmail getmail offlineimap mbsync openssl gh glab hub npx pnpx bunx uvx aws gcloud gsutil az kubectl
helm ollama llm`;
const byName = new RegExp(`(?<![\\w.-])(${programs.split(/\s+/).join('|')})(?:\\.exe)?(?![\\w./-])`);

/** Subcommands of programs that also work with local data. */
const commands: { readonly [program: string]: string } = {
  git: 'clone|fetch|pull|ls-remote|submodule|remote|archive',
  'npm|pnpm|yarn|bun': 'view|info|show|search|exec|dlx|x|install|i|ci|add|audit|outdated|update|create|init',
  'pip3?|pipx|uv|poetry|conda|cargo|gem|go|brew|apt|apt-get|dnf|apk|docker|podman':
    'install|add|search|show|pull|run|download|get|update|upgrade|sync|fetch|index',
};
const byCommand = Object.entries(commands).map(
  ([program, words]) => new RegExp(`(?<![\\w.-])(${program})(?:\\s+\\S+){0,6}?\\s+(${words})(?![\\w./-])`),
);

/** Network access within an interpreter or the shell. */
const inside =
  /\/dev\/(?:tcp|udp)\/|\b(?:https?|ftp|wss?):\/\/|\burllib\b|\brequests\b|\bhttp\.client\b|\bhttpx\b|\bsocket\b|\bfetch\s*\(|Net::HTTP|\bLWP\b|file_get_contents/;

/**
 * What in a command's template may return text that others wrote: a program, by its name anywhere in the command and
 * with any folder, or an address. The contents of scripts are not checked.
 */
export function networkProgramIn(template: string): string | undefined {
  const literal = template.replaceAll(/\{\{.*?\}\}/gs, ' ');
  const named = byName.exec(literal)?.[1];
  if (named !== undefined) return named;
  for (const pattern of byCommand) {
    const found = pattern.exec(literal);
    if (found) return `${found[1]} ${found[2]}`;
  }
  return inside.exec(literal)?.[0];
}
