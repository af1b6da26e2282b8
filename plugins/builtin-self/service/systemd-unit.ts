import type { ServicePlan } from './service-file.ts';

/**
 * The text of a user unit. Each value is quoted so that systemd reads it back byte for byte. Values that can't be quoted
 * don't end with a part of the path: a backslash there would join the next line, and spaces would be dropped.
 */
export function systemdUnit({ home, argv: [program = '', ...args], environment }: ServicePlan): string {
  const variables = Object.entries(environment).map(
    ([name, value]) => `Environment=${quote(`${name}=${value}`)}\n`,
  );
  return `# Written by "pegboard service install". Run it again after moving Node, Pegboard or this home.
# Secrets are not in this file: Pegboard reads the home's .env and its secret store itself.
[Unit]
Description=Pegboard (${specifiers(home)})
# Gives up after 5 failed starts in 5 minutes, until it is started by hand.
StartLimitIntervalSec=300
StartLimitBurst=5

[Service]
Type=exec
WorkingDirectory=${specifiers(home)}/
ExecStart=${[quote(program), ...args.map(argument)].join(' ')}
${variables.join('')}UMask=0077
Restart=on-failure
RestartSec=5
# The host finishes its turns first; a second signal ends them.
KillMode=mixed
TimeoutStopSec=30

[Install]
WantedBy=default.target
`;
}

/** "%" begins a specifier. */
const specifiers = (text: string): string => text.replaceAll('%', '%%');

const quote = (text: string): string =>
  `"${specifiers(text).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

/** "$" begins a variable, but not in the path of the program. */
const argument = (text: string): string => quote(text).replaceAll('$', '$$$$');
