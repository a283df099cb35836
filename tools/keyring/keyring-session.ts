import { spawn } from 'node:child_process';
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A real gnome-keyring on a separate D-Bus and in a separate home, so that no test touches the developer's keyring. */
export type KeyringHome = {
  /** Environment variables for a program under this keyring. */
  env: NodeJS.ProcessEnv;
  folder: string;
  remove(): void;
};

export const keyringHome = (): KeyringHome => {
  const folder = mkdtempSync(join(tmpdir(), 'counterfoil-keyring-'));
  const place = (name: string): string => {
    const path = join(folder, name);
    mkdirSync(path, { mode: 0o700 });
    return path;
  };
  const {
    DBUS_SESSION_BUS_ADDRESS: _bus,
    GNOME_KEYRING_CONTROL: _control,
    DISPLAY: _display,
    ...rest
  } = process.env;
  return {
    folder,
    env: {
      ...rest,
      HOME: place('home'),
      XDG_RUNTIME_DIR: place('run'),
      XDG_DATA_HOME: place('data'),
      XDG_CONFIG_HOME: place('config'),
      XDG_CACHE_HOME: place('cache'),
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
};

/** `prompting`: locked, and its prompt waits for a person. */
export type KeyringState = 'unlocked' | 'locked' | 'prompting' | 'no-service' | 'no-bus' | 'denied';

/** A bus that denies every message to the keyring. */
const denyingBus = `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN" "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:tmpdir=/tmp</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
    <deny send_destination="org.freedesktop.secrets"/>
  </policy>
</busconfig>
`;

/** Adds the program that shows the keyring's prompts, as one that never answers. */
const withSilentPrompter = (folder: string, bus: string): string => {
  const service =
    '[D-BUS Service]\nName=org.gnome.keyring.SystemPrompter\nExec=/bin/sh -c "exec sleep 60 >/dev/null 2>&1"\n';
  writeFileSync(join(folder, 'org.gnome.keyring.SystemPrompter.service'), service);
  return bus.replace('</busconfig>', `  <servicedir>${folder}</servicedir>\n</busconfig>`);
};

/**
 * The daemon reports success before it is on the bus. A question before that makes the bus start a second daemon, which
 * is locked.
 */
const awaitDaemon =
  'n=0; until dbus-send --session --print-reply --dest=org.freedesktop.DBus / ' +
  'org.freedesktop.DBus.NameHasOwner string:org.freedesktop.secrets 2>&1 | grep -q "boolean true" ' +
  '|| [ $((n += 1)) -gt 500 ]; do sleep 0.02; done';
const unlock = `printf '%s' 'test keyring' | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1; ${awaitDaemon}`;

/** Ends the daemon and starts another one, as an update of the system does. */
export const restartKeyring =
  'kill -9 $(dbus-send --session --print-reply --dest=org.freedesktop.DBus / ' +
  'org.freedesktop.DBus.GetConnectionUnixProcessID string:org.freedesktop.secrets | grep -o "[0-9]*$"); ' +
  `until dbus-send --session --print-reply --dest=org.freedesktop.DBus / ` +
  `org.freedesktop.DBus.NameHasOwner string:org.freedesktop.secrets | grep -q "boolean false"; do sleep 0.02; done; ${unlock}`;

const lock =
  'dbus-send --session --print-reply --dest=org.freedesktop.secrets /org/freedesktop/secrets ' +
  'org.freedesktop.Secret.Service.Lock array:objpath:/org/freedesktop/secrets/collection/login >/dev/null';

/** The command line that starts a command under a keyring in the given state; the command is appended. */
export const keyringCommand = (home: KeyringHome, state: KeyringState): string[] => {
  const before = {
    unlocked: `${unlock}; exec "$@"`,
    denied: `${unlock}; exec "$@"`,
    locked: 'gnome-keyring-daemon --start --components=secrets >/dev/null 2>&1; exec "$@"',
    prompting: `${unlock}; ${lock}; exec "$@"`,
    'no-service': 'exec "$@"',
    'no-bus': 'exec "$@"',
  }[state];
  const shell = ['sh', '-c', before, 'keyring'];
  if (state === 'no-bus') return shell;
  if (state === 'no-service' || state === 'denied' || state === 'prompting') {
    const config = join(home.folder, 'bus.conf');
    // A bus without service files: nothing can be started on demand.
    const bus = state === 'denied' ? denyingBus : denyingBus.replace(/ *<deny.*\n/, '');
    writeFileSync(config, state === 'prompting' ? withSilentPrompter(home.folder, bus) : bus);
    return ['dbus-run-session', `--config-file=${config}`, '--', ...shell];
  }
  return ['dbus-run-session', '--', ...shell];
};

/** Runs a command under a keyring; resolves to its exit code and standard output. */
export const runUnderKeyring = (
  home: KeyringHome,
  state: KeyringState,
  command: readonly string[],
): Promise<{ code: number; output: string }> =>
  new Promise((resolve, reject) => {
    const [program = '', ...args] = [...keyringCommand(home, state), ...command];
    const child = spawn(program, args, { env: home.env, stdio: ['ignore', 'pipe', 'ignore'] });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.on('error', reject);
    child.on('close', code => resolve({ code: code ?? 1, output }));
  });

export type OpenKeyring = {
  /** Environment variables with which a program finds this keyring. */
  env: NodeJS.ProcessEnv;
  close(): Promise<void>;
};

/** A keyring that runs until it is closed, for programs that are started and restarted under it. */
export const openKeyring = async (state: 'unlocked' | 'prompting' = 'unlocked'): Promise<OpenKeyring> => {
  const home = keyringHome();
  const stay = ['sh', '-c', 'echo "$DBUS_SESSION_BUS_ADDRESS"; exec cat >/dev/null'];
  const [program = '', ...args] = [...keyringCommand(home, state), ...stay];
  const child = spawn(program, args, { env: home.env, stdio: ['pipe', 'pipe', 'ignore'] });
  const closed = new Promise<void>(resolve => child.on('close', () => resolve()));
  const address = await new Promise<string>((resolve, reject) => {
    child.on('error', reject);
    child.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString().trim()));
    child.once('exit', () => reject(new Error('the keyring did not come up')));
  });
  return {
    env: { ...home.env, DBUS_SESSION_BUS_ADDRESS: address },
    close: async () => {
      child.stdin.end();
      await closed;
      home.remove();
    },
  };
};
