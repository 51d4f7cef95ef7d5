import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import { HostError } from '@errand/host';

/** The programs of an operating system that keep other programs running. */
export const serviceManagers = ['systemd', 'launchd', 'windows'] as const;

export type ServiceManager = (typeof serviceManagers)[number];

/** What a service manager is to keep running. */
export interface Service {
  readonly vault: string;
  /** An absolute path and its arguments. */
  readonly command: readonly [program: string, ...args: readonly string[]];
  /** Variables that the program needs, and a service would not have. */
  readonly env: Readonly<Record<string, string>>;
  readonly home: string;
  /** The account it runs for, as Windows names it. */
  readonly account: string;
}

export interface ServiceDescription {
  /** Differs between vaults. */
  readonly name: string;
  readonly text: string;
  /** How to install it: sentences, and commands indented by two spaces. */
  readonly steps: readonly string[];
}

/** Describes a program for a service manager: started at login, and again when it failed. */
export function describeService(manager: ServiceManager, service: Service): ServiceDescription {
  const name = serviceName(service.vault);
  switch (manager) {
    case 'systemd':
      return { name, text: systemdUnit(service), steps: systemdSteps(name) };
    case 'launchd':
      return { name, text: launchdPlist(name, service), steps: launchdSteps(name) };
    case 'windows':
      return { name, text: windowsTask(service), steps: windowsSteps(name) };
  }
}

/** `errand-my-notes-1f2e3d4c`: readable, and different for folders of the same name. */
function serviceName(vault: string): string {
  const last = vault.split(/[\\/]/).findLast((part) => part !== '') ?? '';
  const word = last
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 32);
  const digest = createHash('sha256').update(vault).digest('hex').slice(0, 8);
  return ['errand', ...(word === '' ? [] : [word]), digest].join('-');
}

function systemdUnit({ vault, command, env }: Service): string {
  // Only as an argument may a path hold these.
  const isRefused = /["'\\\p{Cc}]/u.test(command[0]);
  const [program, ...args] = isRefused ? ['/usr/bin/env', ...command] : command;
  // The colon keeps "$" from naming a variable.
  const words = [`:${program}`, ...args].map(systemdWord).join(' ');
  const variables = Object.entries(env).map(
    ([name, value]) => `Environment=${systemdWord(`${name}=${value}`)}\n`,
  );
  const title = vault.replace(/\p{Cc}/gu, ' ').replaceAll('%', '%%');
  return `[Unit]
Description=Errand (${title})
StartLimitIntervalSec=0

[Service]
Type=exec
ExecStart=${words}
${variables.join('')}Restart=on-failure
RestartSec=10
KillMode=mixed
TimeoutStopSec=30

[Install]
WantedBy=default.target
`;
}

/** One word of a setting of systemd, which reads escapes as C does and takes "%" for the start of a specifier. */
function systemdWord(text: string): string {
  const escaped = text
    .replace(/[\\"]/g, '\\$&')
    .replaceAll('%', '%%')
    .replace(/\p{Cc}/gu, (each) => {
      const code = each.charCodeAt(0);
      // One of these escapes is a byte, and characters from here on have two.
      return code < 0x80 ? `\\x${code.toString(16).padStart(2, '0')}` : each;
    });
  return `"${escaped}"`;
}

function systemdSteps(name: string): readonly string[] {
  return [
    `Save it as ~/.config/systemd/user/${name}.service, then run:`,
    '  systemctl --user daemon-reload',
    `  systemctl --user enable --now ${name}.service`,
    'To let it run while you are logged out as well:',
    '  loginctl enable-linger',
  ];
}

function launchdPlist(name: string, { command, env, home }: Service): string {
  const log = posix.join(home, 'Library', 'Logs', `${name}.log`);
  const strings = command.map((word) => `    <string>${xmlText(word)}</string>\n`);
  const variables = Object.entries(env).map(
    ([key, value]) => `    <key>${xmlText(key)}</key>\n    <string>${xmlText(value)}</string>\n`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${name}</string>
  <key>ProgramArguments</key>
  <array>
${strings.join('')}  </array>
  <key>EnvironmentVariables</key>
  <dict>
${variables.join('')}  </dict>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>ThrottleInterval</key>
  <integer>10</integer>
  <key>ExitTimeOut</key>
  <integer>30</integer>
  <key>StandardErrorPath</key>
  <string>${xmlText(log)}</string>
</dict>
</plist>
`;
}

function launchdSteps(name: string): readonly string[] {
  return [
    `Save it as ~/Library/LaunchAgents/${name}.plist, then run:`,
    `  launchctl bootstrap gui/$(id -u) ~/Library/LaunchAgents/${name}.plist`,
    `Its log is ~/Library/Logs/${name}.log. To remove it:`,
    `  launchctl bootout gui/$(id -u)/${name}`,
  ];
}

/** Without an encoding and with nothing but ASCII, it is valid however a shell writes it to a file. */
function windowsTask({ vault, command, account }: Service): string {
  const [program, ...args] = command;
  const variable = command.find((word) => /%[^%]+%|\$\(Arg\d+\)/i.test(word));
  if (variable !== undefined) {
    throw unwritable(variable, "Windows' task scheduler would take a part of it for a variable");
  }
  const user = xmlText(account);
  return `<?xml version="1.0"?>
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo>
    <Description>Errand (${xmlText(vault)})</Description>
  </RegistrationInfo>
  <Triggers>
    <LogonTrigger>
      <Enabled>true</Enabled>
      <UserId>${user}</UserId>
    </LogonTrigger>
  </Triggers>
  <Principals>
    <Principal id="Author">
      <UserId>${user}</UserId>
      <LogonType>InteractiveToken</LogonType>
      <RunLevel>LeastPrivilege</RunLevel>
    </Principal>
  </Principals>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>
    <RestartOnFailure>
      <Interval>PT1M</Interval>
      <Count>255</Count>
    </RestartOnFailure>
  </Settings>
  <Actions Context="Author">
    <Exec>
      <Command>${xmlText(program)}</Command>
      <Arguments>${xmlText(args.map(windowsWord).join(' '))}</Arguments>
    </Exec>
  </Actions>
</Task>
`;
}

/** One word of a command line: backslashes count only before a quotation mark. */
function windowsWord(text: string): string {
  return `"${text.replace(/(\\*)"/g, '$1$1\\"').replace(/\\+$/, '$&$&')}"`;
}

function windowsSteps(name: string): readonly string[] {
  return [
    `Save it as ${name}.xml, then run:`,
    `  schtasks /Create /TN ${name} /XML ${name}.xml`,
    `  schtasks /Run /TN ${name}`,
    'To remove it:',
    `  schtasks /Delete /TN ${name}`,
  ];
}

/** Text in XML 1.0, in ASCII alone. */
function xmlText(text: string): string {
  return Array.from(text, (character) => {
    const code = character.codePointAt(0) ?? 0;
    if (/[&<>"']/.test(character)) return `&#${code};`;
    if (code >= 0x20 && code < 0x7f) return character;
    const isAllowed =
      [9, 10, 13].includes(code) || (code >= 0x7f && !/[\p{Cs}\ufffe\uffff]/u.test(character));
    if (isAllowed) return `&#${code};`;
    throw unwritable(text, 'XML cannot hold one of its characters');
  }).join('');
}

function unwritable(text: string, reason: string): HostError {
  const message = `${JSON.stringify(text)} cannot be part of a service: ${reason}. Rename the folder.`;
  return new HostError('settings_invalid', message);
}
