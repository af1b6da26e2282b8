/** Programs whose output comes from elsewhere. */
const programs = `curl wget aria2c xh lynx w3m elinks yt-dlp
nc ncat netcat socat telnet ftp lftp ssh scp sftp rsync dig nslookup whois mutt
gh glab git:clone git:fetch git:pull git:ls-remote git:submodule
npx npm:view npm:info npm:search npm:exec aws gcloud kubectl`;
const words = programs.split(/\s+/).join('|').replaceAll(':', '\\s+');
const anyOfThem = new RegExp(`(?<![\\w./-])(${words})(?![\\w.-])`);

/**
 * The program in a command line that brings what others wrote, if there is one. By its name alone: a program that is
 * not known here, or hidden in a script, is not noticed.
 */
export function networkProgramIn(command: string): string | undefined {
  return anyOfThem.exec(command)?.[1]?.replace(/\s+/g, ' ');
}
