import { join } from 'node:path';
import type { ServicePlan } from './service-file.ts';

/** launchd keeps no output of its own. What the host logs is in the home, as everywhere. */
export const launchdLog = (home: string): string => join(home, 'data/service.log');

/** How long a service has to end. */
export const endTimeoutSeconds = 30;

/** The text of a launch agent. */
export function launchdPlist({ name, home, argv, environment }: ServicePlan): string {
  const variables = Object.entries(environment).map(
    ([key, value]) => `    <key>${escape(key)}</key>\n    <string>${escape(value)}</string>\n`,
  );
  const log = escape(launchdLog(home));
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<!-- Written by "pegboard service install". Run it again after moving Node, Pegboard or this home.
     Secrets are not in this file: Pegboard reads the home's .env and its secret store itself. -->
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${escape(name)}</string>
  <key>ProgramArguments</key>
  <array>
${argv.map((word) => `    <string>${escape(word)}</string>\n`).join('')}  </array>
  <key>WorkingDirectory</key>
  <string>${escape(home)}</string>
  <key>EnvironmentVariables</key>
  <dict>
${variables.join('')}  </dict>
  <key>RunAtLoad</key>
  <true/>
  <!-- Started again after a failure, at most every 10 seconds. -->
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>ThrottleInterval</key>
  <integer>10</integer>
  <key>ExitTimeOut</key>
  <integer>${endTimeoutSeconds}</integer>
  <key>Umask</key>
  <integer>63</integer>
  <key>StandardOutPath</key>
  <string>${log}</string>
  <key>StandardErrorPath</key>
  <string>${log}</string>
</dict>
</plist>
`;
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escape = (text: string): string => text.replaceAll(/[&<>"]/g, (character) => entities[character]!);
