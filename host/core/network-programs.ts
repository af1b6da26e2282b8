/** Programs whose output comes from elsewhere. */
const programs = [
  ...['curl', 'wget', 'aria2c', 'xh', 'http', 'https', 'lynx', 'w3m', 'links', 'elinks', 'yt-dlp'],
  ...['nc', 'ncat', 'netcat', 'socat', 'telnet', 'ftp', 'lftp', 'ssh', 'scp', 'sftp', 'rsync'],
  ...['gh', 'glab', 'git clone', 'git fetch', 'git pull', 'git ls-remote', 'git submodule'],
  ...['aws', 'gcloud', 'az', 'kubectl', 'npx', 'npm view', 'npm info', 'npm search', 'npm exec'],
  ...['dig', 'nslookup', 'host', 'whois', 'mail', 'mutt'],
];
const anyOfThem = new RegExp(`(?<![\\w./-])(${programs.join('|').replaceAll(' ', '\\s+')})(?![\\w.-])`);

/**
 * The program in a command line that brings what others wrote, if there is one. By its name alone: a program that is
 * not known here, or hidden in a script, is not noticed.
 */
export function networkProgramIn(command: string): string | undefined {
  return anyOfThem.exec(command)?.[1]?.replace(/\s+/g, ' ');
}
